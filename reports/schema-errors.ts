import { createRequire } from "node:module";
import { Ajv, type AnySchemaObject } from "ajv";
import addFormats from "ajv-formats";
import { schema as ctrfSchema } from "ctrf";

const require = createRequire(import.meta.url);
const ajv = new Ajv({ strict: false });
addFormats.default(ajv);
ajv.addMetaSchema(require("ajv/dist/refs/json-schema-draft-06.json") as AnySchemaObject);
// It has no types.
ajv.addSchema(Object.values(require("har-schema") as Record<string, AnySchemaObject>));
ajv.addSchema(ctrfSchema as AnySchemaObject, "ctrf");

/** What the JSON Schema of HAR 1.2, or of CTRF, says against a file, for tests. */
export function schemaErrors(name: "har" | "ctrf", text: string): unknown[] {
  const isValid = ajv.getSchema(name === "har" ? "har.json#" : "ctrf");
  if (isValid === undefined) throw new TypeError(`there is no schema of ${name}`);
  return isValid(JSON.parse(text)) === true ? [] : (isValid.errors ?? []);
}
