import { later } from '../client/later';
import { PanelSkeleton } from '../ui/PanelSkeleton';

/*
 * What is not there at first sight. Its code comes when the browser has nothing else to do after the canvas is drawn, or
 * when it is asked for before that.
 */
export const SideContent = later(() => import('./SideContent').then((part) => part.SideContent), <PanelSkeleton />);
export const NodeDialog = later(() => import('./NodeDialog').then((part) => part.NodeDialog));
export const CommandBar = later(() => import('./CommandBar').then((part) => part.CommandBar));
export const Palette = later(() => import('./Palette').then((part) => part.Palette));
export const CanvasMenu = later(() => import('./CanvasMenu').then((part) => part.CanvasMenu));
export const MoreMenu = later(() => import('./MoreMenu').then((part) => part.MoreMenu));
export const RunMenu = later(() => import('./RunMenu').then((part) => part.RunMenu));
export const StatusChoice = later(() => import('./StatusChoice').then((part) => part.StatusChoice));
export const RunDialog = later(() => import('./RunDialog').then((part) => part.RunDialog));
export const KeyList = later(() => import('./KeyList').then((part) => part.KeyList));
export const PublishDialog = later(() => import('./PublishDialog').then((part) => part.PublishDialog));
export const ExtractDialog = later(() => import('./ExtractDialog').then((part) => part.ExtractDialog));
export const ConflictDialog = later(() => import('./ConflictDialog').then((part) => part.ConflictDialog));
export const Tour = later(() => import('../tour/Tour').then((part) => part.Tour));

/** Those first that are likely to be wanted first. What could not be fetched is asked for again when it is wanted. */
export function loadParts(): void {
  const parts = [SideContent, Palette, NodeDialog, CommandBar, CanvasMenu, RunDialog, KeyList];
  void Promise.allSettled(parts.map((part) => part.load()));
}
