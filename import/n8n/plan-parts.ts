import type { N8nImportPlan } from './plan';
import type { TrafficLight } from './report/findings';

/** The plans of all workflows that a workflow of n8n becomes. */
export const listPlans = (plan: N8nImportPlan): N8nImportPlan[] => [plan, ...plan.further];

const LIGHTS: readonly TrafficLight[] = ['red', 'yellow', 'green'];

/** The light of the one of several workflows that has the most to do. */
export const worstLight = (plan: N8nImportPlan): TrafficLight =>
  LIGHTS.find((light) => listPlans(plan).some((one) => one.light === light)) ?? 'green';
