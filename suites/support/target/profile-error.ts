/** What cannot be used as a profile. The message says where and how to fix it. */
export class ProfileError extends Error {
  override readonly name = "ProfileError";
}
