/** Modes and states of the terminal that the dashboard switches on and off itself. */
const switches = {
	/** Reports when the window gets or loses the keyboard (xterm, DECSET 1004). */
	focus: {on: '\u001B[?1004h', off: '\u001B[?1004l'},
	/** Presses and the wheel, in the form of mode 1006. No movement: modes 1002 and 1003 stay off. */
	mouse: {on: '\u001B[?1000h\u001B[?1006h', off: '\u001B[?1006l\u001B[?1000l'},
	/** Reports when the colours change between dark and light (mode 2031, contour-terminal.org/vt-extensions/color-palette-update-notifications). */
	colors: {on: '\u001B[?2031h', off: '\u001B[?2031l'},
	/** The progress of the tab: stopped, for somebody has to act (ConEmu, `OSC 9;4`). */
	progress: {on: '\u001B]9;4;2;100\u0007', off: '\u001B]9;4;0\u0007'},
} as const;

export type SwitchName = keyof typeof switches;

const names = Object.keys(switches) as readonly SwitchName[];

/** The switches of one terminal. */
export type TerminalSwitches = {
	/** Switches on what is wanted and off what is not. While the terminal is given back, this takes effect at `takeAgain`. */
	readonly set: (wanted: Readonly<Record<SwitchName, boolean>>) => void;
	/** Switches everything off, for another program. */
	readonly giveBack: () => void;
	readonly takeAgain: () => void;
	/** The sequences that switch off what is on. */
	readonly undo: () => string;
};

const nothing: Readonly<Record<SwitchName, boolean>> = {focus: false, mouse: false, colors: false, progress: false};

/** Creates the switches of a terminal on which none is on. */
export function createTerminalSwitches(write: (text: string) => void): TerminalSwitches {
	let wanted = nothing;
	let actual = nothing;
	let owner: 'dashboard' | 'other' = 'dashboard';
	const follow = () => {
		const target = owner === 'dashboard' ? wanted : nothing;
		const text = names
			.filter(name => target[name] !== actual[name])
			.map(name => switches[name][target[name] ? 'on' : 'off'])
			.join('');
		actual = target;
		if (text !== '') {
			write(text);
		}
	};

	return {
		set(next) {
			wanted = next;
			follow();
		},
		giveBack() {
			owner = 'other';
			follow();
		},
		takeAgain() {
			owner = 'dashboard';
			follow();
		},
		undo: () => names.flatMap(name => (actual[name] ? [switches[name].off] : [])).join(''),
	};
}
