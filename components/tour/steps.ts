export interface Step {
  /** What it speaks of, as CSS finds it. One that isn't there is passed over. */
  target: string;
  title: string;
  text: string;
}

/** What somebody needs to know who never saw an editor of workflows, in the order in which it is needed. */
export const STEPS: Step[] = [
  {
    target: '[data-opens="palette"]',
    title: 'Add steps',
    text: 'All that a workflow can do is in here. N opens it, too; so does dragging from the dot of a node into the empty.',
  },
  {
    target: '.react-flow__node',
    title: 'Set them up',
    text: 'Choose a node to set it up beside the canvas. Enter opens it wide, with what comes in and what goes out.',
  },
  {
    target: '[data-tour="run"]',
    title: 'Run it',
    text: 'Watch the run on the canvas, node by node. What waits for a person is decided right there.',
  },
  {
    target: '[aria-label="Triggers"]',
    title: 'Let it run by itself',
    text: 'By a webhook that others call, or at fixed times. Make the workflow active for that.',
  },
];
