export interface TourStep {
  /** CSS selector of the target. Steps without a target on the page are skipped. */
  target: string;
  title: string;
  text: string;
}

/** The steps for a first-time user, in order. */
export const TOUR_STEPS: TourStep[] = [
  {
    target: '[data-opens="palette"]',
    title: 'Add nodes',
    text: 'Add nodes from this list. Press N to open it, or drag from a port to the empty canvas.',
  },
  {
    target: '.react-flow__node',
    title: 'Configure nodes',
    text: 'Select a node to edit its parameters. Press Enter to open it with input and output.',
  },
  {
    target: '[data-tour="run"]',
    title: 'Run the workflow',
    text: 'Watch the run on the canvas, node by node. You can also decide approvals here.',
  },
  {
    target: '[aria-label="Triggers"]',
    title: 'Add triggers',
    text: 'Webhooks, forms and schedules start the workflow by themselves. A webhook takes calls at once; the others start once the workflow is live.',
  },
];
