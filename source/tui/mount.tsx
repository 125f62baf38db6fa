import {render} from 'ink';
import {type Send} from '../state/command.ts';
import {type Store} from '../state/store.ts';
import {type Clock} from '../util/clock.ts';
import {App, type AppProps} from './app.tsx';
import {createController} from './controller.ts';
import {guardOutput, type GuardedStream} from './stdout-guard.ts';
import {type TerminalOutput} from './terminal-output.ts';

/** How the window looks and what it may do. */
export type DashboardSettings = {
	readonly noColor: boolean;
	readonly ascii: boolean;
	readonly readOnly: boolean;
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
	const controller = createController({store, send, clock, hold: output.hold, readOnly: settings.readOnly});
	const guard = guardOutput(options.guarded, options.onStrayLine);
	const props: AppProps = {
		store,
		controller,
		handlers: {
			onChange: text => controller.tell({type: 'text-changed', text}),
			onSubmit: text => controller.tell({type: 'text-submitted', text}),
		},
		clock,
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
	const stopRedrawing = redrawOnDemand(controller, () => {
		instance.clear();
		instance.rerender(<App {...props} />);
	});

	let ended = false;
	const end = (how: DashboardEnd) => {
		if (ended) {
			return;
		}

		ended = true;
		process.off('exit', giveBack);
		stopRedrawing();
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

/** Calls `redraw` whenever a person asks for the screen to be drawn anew. */
function redrawOnDemand(
	controller: Pick<ReturnType<typeof createController>, 'getState' | 'subscribe'>,
	redraw: () => void,
): () => void {
	let drawn = controller.getState().redraws;
	return controller.subscribe(() => {
		const {redraws} = controller.getState();
		if (redraws !== drawn) {
			drawn = redraws;
			redraw();
		}
	});
}
