import type { ObservableStore } from '@/components/client/store';
import {
  drawnNodeId,
  findDrawnScope,
  hasLoopBody,
  ownIdInScope,
  type DrawnDefinition,
  type DrawnScope,
} from '@/components/graph/drawn';
import { drawOpenLoops, toScopePosition } from '@/components/graph/frames';
import type { XYPosition } from '@xyflow/react';
import { definitionAtPath, replaceBodyAtPath } from '@/components/graph/body';
import type { NodeTypesByName } from '@/components/graph/cards-and-edges';
import { canvasDefinition, changeDefinition, singleSelectedId, type EditorDraft } from '../draft/draft';

type LoopPath = readonly string[];
type DraftPlace = Pick<EditorDraft, 'path' | 'openLoops'>;

const loopKey = (path: LoopPath): string => path.join('/');

/** Whether the body of a loop is drawn in a frame. */
export const isLoopOpen = ({ openLoops }: Pick<EditorDraft, 'openLoops'>, path: LoopPath): boolean =>
  openLoops.includes(loopKey(path));

/**
 * The views by the paths that lead through open loops: the same path for the same place, so that nothing renders again.
 */
const views = new WeakMap<LoopPath, Map<number, LoopPath>>();

/**
 * The path of the definition that fills the canvas. The path of the edited one leads on from there, through open loops.
 */
export function canvasPath({ path, openLoops }: DraftPlace): LoopPath {
  let length = path.length;
  while (length > 0 && isLoopOpen({ openLoops }, path.slice(0, length))) length -= 1;
  if (length === path.length) return path;
  const known = views.get(path) ?? new Map<number, LoopPath>();
  views.set(path, known);
  const view = known.get(length) ?? path.slice(0, length);
  known.set(length, view);
  return view;
}

interface DrawnBefore {
  view: LoopPath;
  openLoops: readonly string[];
  catalogue: NodeTypesByName;
  drawn: DrawnDefinition;
}

/** What was drawn of a definition last: most reads follow one change. */
const drawnBefore = new WeakMap<object, DrawnBefore>();

/** What the canvas draws: its definition, with the bodies of open loops. */
export function drawCanvas(
  draft: Pick<EditorDraft, 'definition' | 'path' | 'openLoops'>,
  catalogue: NodeTypesByName,
): DrawnDefinition {
  const { definition, openLoops } = draft;
  const view = canvasPath(draft);
  const before = drawnBefore.get(definition);
  if (before?.openLoops === openLoops && before.catalogue === catalogue && loopKey(before.view) === loopKey(view))
    return before.drawn;
  const drawn = drawOpenLoops(definition, view, (path) => isLoopOpen(draft, path), catalogue);
  drawnBefore.set(definition, { view, openLoops, catalogue, drawn });
  return drawn;
}

/** The id with which a node of the edited definition is drawn. */
export const drawnIdInDraft = (draft: DraftPlace, id: string): string =>
  drawnNodeId(draft.path.slice(canvasPath(draft).length), id);

/** Opens or closes the frame of a loop. What was selected in a frame that closes no longer is. */
export function toggleLoopFrame(draft: DraftPlace, path: LoopPath): Partial<EditorDraft> {
  if (!isLoopOpen(draft, path)) return { openLoops: [...draft.openLoops, loopKey(path)] };
  const openLoops = draft.openLoops.filter((key) => key !== loopKey(path) && !key.startsWith(`${loopKey(path)}/`));
  const isInside = path.every((id, depth) => draft.path[depth] === id);
  return isInside ? { openLoops, path: path.slice(0, -1), selectedIds: path.slice(-1) } : { openLoops };
}

/** Shows the body of a loop alone on the canvas. */
export const openLoopAlone = (draft: DraftPlace, path: LoopPath): Partial<EditorDraft> => ({
  openLoops: draft.openLoops.filter((key) => !loopKey(path).startsWith(key) || key.length > loopKey(path).length),
  path,
  selectedIds: [],
});

/** Changes the definition that fills the canvas, whatever is edited in it. */
export const editCanvasRoot = (
  draft: EditorDraft,
  next: EditorDraft['definition'],
  intent?: string,
): Partial<EditorDraft> =>
  changeDefinition(draft, replaceBodyAtPath(draft.definition, canvasPath(draft), next), intent);

/** Makes the definition around a drawn node the edited one. Returns the id that the node has there. */
export function enterNodeScope(
  store: ObservableStore<EditorDraft>,
  catalogue: NodeTypesByName,
  drawnId: string,
): { id: string; scope: DrawnScope | undefined } {
  const draft = store.get();
  const scope = findDrawnScope(drawCanvas(draft, catalogue), drawnId);
  if (!scope) return { id: drawnId, scope };
  enterScope(store, scope);
  return { id: ownIdInScope(scope, drawnId) ?? drawnId, scope };
}

/** Makes the body of an open loop, or the definition around, the edited one. A selection elsewhere ends. */
export function enterScope(store: ObservableStore<EditorDraft>, { path }: DrawnScope): void {
  if (loopKey(path) !== loopKey(store.get().path)) store.set({ path, selectedIds: [] });
}

/** The path of the body of a drawn loop. */
export function drawnLoopPath(
  draft: Pick<EditorDraft, 'definition' | 'path' | 'openLoops'>,
  catalogue: NodeTypesByName,
  drawnId: string,
): readonly string[] {
  const scope = findDrawnScope(drawCanvas(draft, catalogue), drawnId);
  return scope ? [...scope.path, scope.nodes.get(drawnId)?.own.id ?? drawnId] : [...canvasPath(draft), drawnId];
}

/** A place on the canvas as a position in the edited definition. */
export function toEditedPosition(
  draft: Pick<EditorDraft, 'definition' | 'path' | 'openLoops'>,
  catalogue: NodeTypesByName,
  at: XYPosition,
): XYPosition {
  const scope = drawCanvas(draft, catalogue).scopes?.find(({ path }) => loopKey(path) === loopKey(draft.path));
  return scope ? toScopePosition(scope, at) : at;
}

/** Opens the frame of the selected loop with the first node of its body, or closes the frame around the selection. */
export function toggleSelectedLoop(draft: EditorDraft): Partial<EditorDraft> {
  const id = singleSelectedId(draft);
  const loop = canvasDefinition(draft).nodes.find((node) => node.id === id && hasLoopBody(node));
  if (!loop) return isLoopOpen(draft, draft.path) ? toggleLoopFrame(draft, draft.path) : {};
  const path = [...draft.path, loop.id];
  if (isLoopOpen(draft, path)) return toggleLoopFrame(draft, path);
  const [first] = definitionAtPath(draft.definition, path).nodes;
  return { ...toggleLoopFrame(draft, path), path, selectedIds: first ? [first.id] : [] };
}

/** Whether the selection is a loop, or in the frame of one. */
export const hasLoopFrame = (draft: EditorDraft): boolean => Object.keys(toggleSelectedLoop(draft)).length > 0;

/** On narrower screens the body of a loop is shown alone. */
const MIN_FRAME_SCREEN_WIDTH = 700;

/** Whether the screen has room for the frame of a loop. */
export const hasRoomForFrames = (): boolean => innerWidth >= MIN_FRAME_SCREEN_WIDTH;
