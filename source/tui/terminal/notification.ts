/** The sequence of a notification: OSC 9 (iTerm2, kitty) or OSC 777 (rxvt-unicode, VTE, foot, Ghostty, WezTerm). */
type NotificationForm = 'osc-9' | 'osc-777';

/** The notifications that a terminal shows. */
export type NotificationStyle = {
	readonly forms: readonly NotificationForm[];
	/** tmux passes a sequence on only in an envelope of its own, and only with `allow-passthrough`. */
	readonly envelope: 'none' | 'tmux';
};

/** Terminals that would show both forms, by `TERM_PROGRAM` or the beginning of `TERM`. */
const knownTerminals: ReadonlyArray<readonly [pattern: RegExp, form: NotificationForm]> = [
	[/^(?:ghostty|wezterm)$|^(?:xterm-ghostty|wezterm|foot)/iu, 'osc-777'],
	[/^iTerm\.app$|^xterm-kitty/u, 'osc-9'],
];

/** The style for the terminal of these environment variables: both forms where it is not known. */
export function notificationStyle(variables: Readonly<Record<string, string | undefined>>): NotificationStyle {
	const names = [variables['TERM_PROGRAM'] ?? '', variables['TERM'] ?? ''];
	const known = knownTerminals.find(([pattern]) => names.some(name => pattern.test(name)))?.[1];
	return {
		forms: known ? [known] : ['osc-9', 'osc-777'],
		envelope: variables['TMUX'] ? 'tmux' : 'none',
	};
}

/** A notification that says how much waits, in our own words alone. */
export function notificationSequence(waiting: number, {forms, envelope}: NotificationStyle): string {
	const words = `${waiting} waiting for you`;
	const sequences = {
		// A digit in front would be a command of ConEmu.
		'osc-9': `\u001B]9;Sluice: ${words}\u0007`,
		'osc-777': `\u001B]777;notify;Sluice;${words}\u0007`,
	} as const;
	return forms.map(form => (envelope === 'tmux' ? enveloped(sequences[form]) : sequences[form])).join('');
}

/** The envelope of tmux (tmux(1), `allow-passthrough`): a device control string in which each escape is doubled. */
function enveloped(sequence: string): string {
	return `\u001BPtmux;${sequence.replaceAll('\u001B', '\u001B\u001B')}\u001B\\`;
}
