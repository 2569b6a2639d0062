/** Spellings of the path `/jmap` that a router may take for it, while what stands before the router does not. */
export const otherPaths = [
  { slug: "trailing-slash", path: "/jmap/" },
  { slug: "query", path: "/jmap?x=1" },
  { slug: "double-slash", path: "//jmap" },
  { slug: "upper-case", path: "/JMAP" },
  { slug: "percent-encoded", path: "/%6Amap" },
  { slug: "path-parameter", path: "/jmap;x" },
  { slug: "dot-segment", path: "/./jmap" },
] as const;

/** Methods that a router may serve as it serves POST, while what stands before the router looks at POST alone. */
export const otherMethods = ["PUT", "PATCH", "DELETE"] as const;
