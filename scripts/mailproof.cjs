#!/usr/bin/env node
"use strict";

// In the syntax of the oldest Node.js, so that each version can read it and say which one is needed.
var range = require("../package.json").engines.node;
var needed = range
  .replace(/^[^0-9]+/, "")
  .split(".")
  .map(Number);
var running = process.versions.node.split(".").map(Number);

if (running[0] < needed[0] || (running[0] === needed[0] && running[1] < needed[1])) {
  console.error(
    "mailproof: needs Node.js " + needed.join(".") + " or later, and this is " + process.versions.node,
  );
  process.exitCode = 2;
} else {
  // Hundreds of modules are compiled once and not by each command. Where the cache cannot be written, they are compiled each time.
  require("module").enableCompileCache(__dirname + "/../node_modules/.cache/compiled");
  if (require("fs").existsSync(__dirname + "/mailproof.ts")) {
    require("./mailproof.ts");
  } else {
    // Installed from the package: Node.js runs no TypeScript below node_modules.
    require("../dist/scripts/package/command-line.js");
  }
}
