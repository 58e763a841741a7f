import { z } from 'zod';

const Parameters = z.record(z.string(), z.unknown());

const Node = z.object({
  name: z.string(),
  type: z.string(),
  position: z.tuple([z.number(), z.number()]).optional(),
  parameters: Parameters.default({}),
  disabled: z.boolean().optional(),
  notes: z.string().optional(),
  retryOnFail: z.boolean().optional(),
  maxTries: z.number().optional(),
  waitBetweenTries: z.number().optional(),
  credentials: z.record(z.string(), z.unknown()).optional(),
});
export type N8nNode = z.infer<typeof Node>;

const Target = z.object({ node: z.string(), type: z.string().optional() });
/** By the name of the source and the kind of the connection: a list of targets for each output. */
const Connections = z.record(z.string(), z.record(z.string(), z.array(z.array(Target).nullable())));

/** A workflow as n8n exports it. */
const File = z.object({
  name: z.string().optional(),
  nodes: z.array(Node).min(1).max(2000),
  connections: Connections,
});
export type N8nFile = z.infer<typeof File>;

const TYPE = /^(?:@?[\w./-]*n8n[\w-]*)\.[\w-]+$/;

/** A parsed file if it is an export of n8n: nodes with types such as `n8n-nodes-base.set`, connected by their names. */
export function n8nFile(value: unknown): N8nFile | undefined {
  const read = File.safeParse(value);
  return read.success && read.data.nodes.some(({ type }) => TYPE.test(type)) ? read.data : undefined;
}
