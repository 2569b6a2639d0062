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

/** Such spellings of another path. */
export function otherSpellings(path: string): readonly string[] {
  const at = path.lastIndexOf("/") + 1;
  const code = path.charCodeAt(at).toString(16).toUpperCase();
  return [
    `${path}/`,
    `${path}?x=1`,
    `/${path}`,
    path.toUpperCase(),
    `${path.slice(0, at)}%${code}${path.slice(at + 1)}`,
    `${path};x`,
    `${path}.json`,
    `/.${path}`,
  ];
}

/** Methods that a router may serve as it serves POST, while what stands before the router looks at POST alone. */
export const otherMethods = ["PUT", "PATCH", "DELETE"] as const;
