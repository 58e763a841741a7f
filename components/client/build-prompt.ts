/** Descriptions of workflows to begin with. */
export const EXAMPLE_INSTRUCTIONS = [
  'Every morning, fetch the open orders of our shop and mail me those above 100 euro.',
  'When a form is sent, let a manager approve it, then add a row to a table.',
  'Summarise each new support mail and post it to Slack.',
];

const BUILD_PROMPT_KEY = 'weft.build-prompt';

interface BuildPrompt {
  workflowId: string;
  text: string;
}

/** Hands a description of a workflow to the editor that opens next, which begins to build it. */
export function handOverBuildPrompt(prompt: BuildPrompt): void {
  try {
    sessionStorage.setItem(BUILD_PROMPT_KEY, JSON.stringify(prompt));
  } catch {
    // Without storage the editor opens without a prompt.
    return;
  }
}

/** The description that was handed over to this workflow, once: a reload does not build again. */
export function takeBuildPrompt(workflowId: string): string | undefined {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(BUILD_PROMPT_KEY) ?? 'null');
    const { workflowId: id, text } = Object(stored) as Partial<Record<keyof BuildPrompt, unknown>>;
    if (id !== workflowId || typeof text !== 'string') return undefined;
    sessionStorage.removeItem(BUILD_PROMPT_KEY);
    return text;
  } catch {
    return undefined;
  }
}
