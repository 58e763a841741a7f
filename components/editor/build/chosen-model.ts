/** The model that a person builds with. */
export interface ChosenModel {
  credentialId: string | undefined;
  /** Undefined: the first one that the service knows of the provider. */
  model: string | undefined;
}

const keyOf = (workspaceId: string) => `weft.builder.${workspaceId}`;

/** The last choice in a workspace. What is unreadable counts as none. */
export function readChosenModel(workspaceId: string): ChosenModel {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(keyOf(workspaceId)) ?? '{}');
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
    localStorage.setItem(keyOf(workspaceId), JSON.stringify(chosen));
  } catch {
    return;
  }
}
