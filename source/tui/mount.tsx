import {render} from 'ink';
import {type Send} from '../state/command.ts';
import {type Store} from '../state/store.ts';
import {type Clock} from '../util/clock.ts';
import {App, type AppProps} from './app.tsx';
import {createController} from './controller.ts';
import {type SuspendTerminal, suspendWindow} from './suspend-window.ts';
import {keepTitleSequence} from './terminal-sequences.ts';
import {type ThemeName} from './theme.ts';
import {watchWindow} from './window-effects.ts';
import {guardOutput, type GuardedStream} from './stdout-guard.ts';
import {type TerminalOutput} from './terminal-output.ts';

/** How the window looks and what it may do. */
export type DashboardSettings = {
	readonly noColor: boolean;
	readonly ascii: boolean;
	readonly readOnly: boolean;
	/** The theme a person chose before; dark when there was none. */
	readonly theme?: ThemeName;
};

export type DashboardOptions = {
	readonly store: Pick<Store, 'getSnapshot' | 'subscribe'>;
	readonly send: Send;
	readonly clock: Clock;
	readonly stdin: NodeJS.ReadStream;
	/** From `openTerminalOutput`; the store's `hold` is its `hold`. */
	readonly output: TerminalOutput;
	readonly settings: DashboardSettings;
	readonly version: string;
	/** Streams whose stray writes are told to `onStrayLine` instead of drawn over. */
	readonly guarded: readonly GuardedStream[];
	readonly onStrayLine: (line: string) => void;
	/** Told of every theme a person chooses. */
	readonly keepTheme?: (theme: ThemeName) => void;
	/** Called once, after the terminal was given back. */
	readonly onExit: (end: DashboardEnd) => void;
};

/** How the window ended: closed from outside, or by an error while drawing, to be printed with exit code 1. */
export type DashboardEnd = {readonly kind: 'closed'} | {readonly kind: 'failed'; readonly error: unknown};

export type Dashboard = {
	/** Closes the window and gives the terminal back. Twice does nothing. */
	readonly unmount: () => void;
	readonly done: Promise<DashboardEnd>;
};

/** Opens the window. It needs nothing of the core but an empty store: the first frame comes before the core does. */
export function mountDashboard(options: DashboardOptions): Dashboard {
	const {store, send, clock, stdin, output, settings, version} = options;
	const {promise: done, resolve} = Promise.withResolvers<DashboardEnd>();
	const controller = createController({
		store,
		send,
		clock,
		hold: output.hold,
		readOnly: settings.readOnly,
		theme: settings.theme ?? 'dark',
	});
	const terminal: {suspendTerminal?: SuspendTerminal} = {};
	const guard = guardOutput(options.guarded, options.onStrayLine);
	const props: AppProps = {
		store,
		controller,
		handlers: {
			onChange: text => controller.tell({type: 'text-changed', text}),
			onSubmit: text => controller.tell({type: 'text-submitted', text}),
		},
		clock,
		onSuspender(suspendTerminal) {
			terminal.suspendTerminal = suspendTerminal;
		},
		noColor: settings.noColor,
		ascii: settings.ascii,
		readOnly: settings.readOnly,
		version,
	};
	const instance = render(<App {...props} />, {
		stdout: output.stream,
		stdin,
		alternateScreen: true,
		incrementalRendering: true,
		interactive: true,
		maxFps: 60,
		exitOnCtrlC: false,
		patchConsole: false,
		onRender: controller.framePainted,
	});
	output.stream.write(keepTitleSequence);
	const stopWatching = watchWindow({
		store,
		controller,
		clock,
		write: text => void output.stream.write(text),
		redraw() {
			instance.clear();
			instance.rerender(<App {...props} />);
		},
		suspend() {
			const {suspendTerminal} = terminal;
			if (suspendTerminal) {
				void suspendWindow(suspendTerminal);
			}
		},
		keepTheme: options.keepTheme ?? (() => undefined),
	});

	let ended = false;
	const end = (how: DashboardEnd) => {
		if (ended) {
			return;
		}

		ended = true;
		process.off('exit', giveBack);
		stopWatching();
		controller.close();
		output.restore();
		instance.unmount();
		guard.release();
		options.onExit(how);
		resolve(how);
	};

	// Whatever ends the process, an uncaught error too, passes here.
	const giveBack = () => output.restore();
	process.on('exit', giveBack);
	instance.waitUntilExit().then(
		() => end({kind: 'closed'}),
		(error: unknown) => end({kind: 'failed', error}),
	);
	return {unmount: () => end({kind: 'closed'}), done};
}
