/** The model that a person builds with. */
export interface ChosenModel {
  credentialId: string | undefined;
  /** Undefined: the first one that the service knows of the provider. */
  model: string | undefined;
}

const modelStorageKey = (workspaceId: string) => `weft.builder.${workspaceId}`;

/** The last choice in a workspace. An unreadable entry counts as no choice. */
export function readChosenModel(workspaceId: string): ChosenModel {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(modelStorageKey(workspaceId)) ?? '{}');
    const { credentialId, model } = Object(value) as Record<string, unknown>;
    return {
      credentialId: typeof credentialId === 'string' ? credentialId : undefined,
      model: typeof model === 'string' ? model : undefined,
    };
  } catch {
    return { credentialId: undefined, model: undefined };
  }
}

/** Disabled or full storage is ignored. */
export function storeChosenModel(workspaceId: string, chosen: ChosenModel): void {
  try {
    localStorage.setItem(modelStorageKey(workspaceId), JSON.stringify(chosen));
  } catch {
    return;
  }
}
