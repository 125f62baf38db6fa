/** Permissions of a console: to answer and act, or only to look (docs/approvals.md, How approvals end). */
export type ConsoleMode = 'deciding' | 'read-only';

/** The place where a login of a console opens the browser: the gateway's process, the console's own, or none, because its person has no display. */
export type BrowserPlace = 'gateway' | 'console' | 'nowhere';

/** The connection of a console with its gateway. */
export type ConsoleState =
	/** The gateway is starting, or is being looked for. */
	| {readonly state: 'opening'}
	/** The gateway runs in the same process. */
	| {readonly state: 'own'; readonly number: number; readonly mode: ConsoleMode}
	/** The gateway is another process. */
	| {readonly state: 'attached'; readonly number: number; readonly mode: ConsoleMode; readonly pid: number}
	/** The other process has not answered since then; it is looked for. Milliseconds since the epoch. */
	| {readonly state: 'lost'; readonly reason: string; readonly since: number};

/** True if the gateway ends with this console. */
export function isOwnGateway({state}: ConsoleState): boolean {
	return state === 'own' || state === 'opening';
}

/** The name of a console in decisions. */
export function consoleName(number: number): string {
	return `console:${number}`;
}

/** The name of this console in decisions; undefined while it is connected with no gateway. */
export function ownConsoleName(console: ConsoleState): string | undefined {
	return 'number' in console ? consoleName(console.number) : undefined;
}
