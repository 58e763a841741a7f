import { isValidSignature, signText } from '@/server/platform/db/signing';
import { getRuntime } from '@/server/platform/runtime';

/** Says which pages of a run a link shows, and to whom. */
export interface FormRunLink {
  executionId: string;
  /** The path of a node: its page, and what follows from it. Absent: every page of the run. */
  nodeId?: string;
  /** The only visitor to whom it shows them. Absent: anyone who has the link. */
  visitor?: string;
  /** The visitor has to be signed in as a member of the workspace. */
  isMember?: true;
}

/** Domain separation: the same key also signs other tokens. */
const FORM_RUN_LINK_PURPOSE = 'weft form run link\n';

/** The path of a link at which a run shows the pages of a form. Only the service can create it. */
export function buildFormRunPath({ executionId, nodeId = '', visitor = '', isMember }: FormRunLink): string {
  // It begins as the tokens of other links of runs do, by which they are found and hidden from who may not see them.
  const text = Buffer.from(`${executionId} ${JSON.stringify([nodeId, visitor, isMember ? 1 : 0])}`).toString(
    'base64url',
  );
  return `/forms/runs/${text}.${signText(FORM_RUN_LINK_PURPOSE, text)}`;
}

export const buildFormRunUrl = (link: FormRunLink): string => getRuntime().env.apiBaseUrl + buildFormRunPath(link);

/** Verifies the token of a link; null: the service did not create it. */
export function readFormRunToken(token: string): FormRunLink | null {
  const [text = '', signature = ''] = token.split('.');
  if (!isValidSignature(signature, FORM_RUN_LINK_PURPOSE, text)) return null;
  const decoded = Buffer.from(text, 'base64url').toString();
  const space = decoded.indexOf(' ');
  const executionId = decoded.slice(0, space);
  const [nodeId, visitor, isMember] = JSON.parse(decoded.slice(space)) as [string, string, number];
  return {
    executionId,
    ...(nodeId && { nodeId }),
    ...(visitor && { visitor }),
    ...(isMember === 1 && { isMember: true }),
  };
}
