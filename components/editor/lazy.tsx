import { lazyWithPreload } from '@/components/client/lazy-with-preload';
import { PanelSkeleton } from '@/components/ui/states/PanelSkeleton';

/*
 * Components that are not visible at first. Their code is preloaded when the browser is idle, or loaded when needed
 * earlier.
 */
export const SideContent = lazyWithPreload(
  () => import('./SideContent').then((module) => module.SideContent),
  <PanelSkeleton />,
);
export const NodeDialog = lazyWithPreload(() => import('./node/NodeDialog').then((module) => module.NodeDialog));
export const CommandBar = lazyWithPreload(() => import('./commands/CommandBar').then((module) => module.CommandBar));
export const Palette = lazyWithPreload(() => import('./palette/Palette').then((module) => module.Palette));
export const CanvasMenu = lazyWithPreload(() => import('./commands/CanvasMenu').then((module) => module.CanvasMenu));
export const MoreMenu = lazyWithPreload(() => import('./commands/MoreMenu').then((module) => module.MoreMenu));
export const RunMenu = lazyWithPreload(() => import('./run/RunMenu').then((module) => module.RunMenu));
export const NodeTools = lazyWithPreload(() => import('./tools/NodeTools').then((module) => module.NodeTools));
export const StatusChoice = lazyWithPreload(() =>
  import('./versions/StatusChoice').then((module) => module.StatusChoice),
);
export const RoundPicker = lazyWithPreload(() =>
  import('@/components/executions/timeline/RoundPicker').then((module) => module.RoundPicker),
);
export const RunDialog = lazyWithPreload(() => import('./run/RunDialog').then((module) => module.RunDialog));
export const BuildDialog = lazyWithPreload(() => import('./build/BuildDialog').then((module) => module.BuildDialog));
export const KeyList = lazyWithPreload(() => import('./commands/KeyList').then((module) => module.KeyList));
export const PublishDialog = lazyWithPreload(() =>
  import('./versions/PublishDialog').then((module) => module.PublishDialog),
);
export const ExtractDialog = lazyWithPreload(() => import('./ExtractDialog').then((module) => module.ExtractDialog));
export const ConflictDialog = lazyWithPreload(() =>
  import('./draft/ConflictDialog').then((module) => module.ConflictDialog),
);
export const OthersDrafts = lazyWithPreload(() => import('./draft/OthersDrafts').then((module) => module.OthersDrafts));
export const TriggerDialog = lazyWithPreload(() =>
  import('@/components/triggers/TriggerDialog').then((module) => module.TriggerDialog),
);
export const TestCallBar = lazyWithPreload(() => import('./triggers/TestCallBar').then((module) => module.TestCallBar));
export const WorkflowSettingsDialog = lazyWithPreload(() =>
  import('@/components/workflows/WorkflowSettingsDialog').then((module) => module.WorkflowSettingsDialog),
);
export const ShareDialog = lazyWithPreload(() =>
  import('@/components/workflows/ShareDialog').then((module) => module.ShareDialog),
);
export const WorkflowTestsDialog = lazyWithPreload(() =>
  import('./tests/WorkflowTestsDialog').then((module) => module.WorkflowTestsDialog),
);
export const Tour = lazyWithPreload(() => import('@/components/tour/Tour').then((module) => module.Tour));

/** Preloads the most likely components first. A failed load is retried when the component is shown. */
export function preloadComponents(): void {
  const parts = [SideContent, Palette, NodeTools, NodeDialog, CommandBar, CanvasMenu, RunDialog, KeyList];
  void Promise.allSettled(parts.map((module) => module.load()));
}
