import { createTestBrowser } from "../../fixtures/service/oauth/test-browser.ts";

export const redirectUri = "https://client.example.test/callback";

/** Signs in as alice and consents. @returns the URL that the browser is sent to */
export async function approve(authorizationUrl: URL): Promise<URL> {
  const browser = createTestBrowser();
  const signIn = await browser.open(authorizationUrl.href);
  const consent = await browser.submit(signIn, { username: "alice", password: "alice-password" });
  const { location, status } = await browser.submit(consent, { decision: "approve" });
  if (location === null) throw new Error(`consent was answered ${status}, without a redirect`);
  return new URL(location);
}
