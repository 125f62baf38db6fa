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
