import { z } from "zod";
import { hostName, httpsBaseUrl, line } from "./profile-values.ts";

const listener = z
  .strictObject({
    publish: z
      .literal("listener")
      .describe("An https server of mailproof's own, for targets that reach this machine."),
    host: hostName.default("localhost").describe("The name by which the target reaches this machine."),
    bind: line().default("127.0.0.1").describe("The address to listen at."),
    port: z.number().int().min(0).max(65535).default(0).describe("0 is any free port."),
    ca_file: line()
      .optional()
      .describe(
        "Where the certificate authority that is made for each run is written, as PEM, for the target to trust.",
      ),
    cert_file: line()
      .optional()
      .describe("A certificate for the host that the target trusts already, as PEM; then nothing is made."),
    key_file: line().optional().describe("Its private key, as PEM."),
  })
  .superRefine(({ ca_file: ca, cert_file: certificate, key_file: key }, context) => {
    const isGiven = certificate !== undefined && key !== undefined;
    const isMade = certificate === undefined && key === undefined && ca !== undefined;
    if (isGiven || isMade) return;
    const message =
      "expected ca_file, where the certificate authority of the run is written for the target to trust, or cert_file and key_file";
    context.addIssue({ code: "custom", message });
  });

const folder = z.strictObject({
  publish: z.literal("folder").describe("A folder whose files appear at an https address."),
  base_url: httpsBaseUrl.describe("Where the files of the folder appear."),
  folder: line(),
});

const command = z.strictObject({
  publish: z
    .literal("command")
    .describe("A program that publishes each document, given on standard input, and ends with 0 when it is."),
  base_url: httpsBaseUrl.describe("Where the documents appear."),
  command: z
    .array(line())
    .min(1)
    .describe("The program and its arguments; `{name}` stands for the document's file name in each of them."),
});

/** Where mailproof can publish client-id metadata documents. */
export const clientMetadataSettings = z.discriminatedUnion("publish", [listener, folder, command]);

export type ClientMetadataSettings = z.output<typeof clientMetadataSettings>;
export type ListenerSettings = z.output<typeof listener>;
