/** What is used of the event `Fetch.requestPaused` of the Chrome DevTools Protocol. */
export interface Paused {
  readonly requestId: string;
  /** The same for all hops of a redirect. */
  readonly networkId?: string;
  readonly frameId: string;
  readonly resourceType: string;
  readonly request: {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly postData?: string;
  };
  /** Set when the answer is held, and not the request. */
  readonly responseStatusCode?: number;
  readonly responseErrorReason?: string;
  readonly responseHeaders?: readonly { readonly name: string; readonly value: string }[];
}
