/** Programs that may be connected, and whose servers may be imported. */
export const programNames = [
	'claude-desktop',
	'claude-code',
	'vscode',
	'cursor',
	'gemini',
	'codex',
	'antigravity',
	'windsurf',
	'zed',
	'opencode',
	'crush',
] as const;

export type ProgramName = (typeof programNames)[number];

/** Programs whose own tools Sluice decides about, by the name after `sluice hook`. */
export const hookProgramNames = [
	'claude-code',
	'codex',
	'gemini',
	'antigravity',
	'cursor',
	'vscode',
	'opencode',
] as const satisfies readonly ProgramName[];

export type HookProgramName = (typeof hookProgramNames)[number];
