import {type Instance, render} from 'ink';
import {type GatewayClient} from '../state/gateway-call.ts';
import {createCallMaker, createKeyNotes, createReadFull} from '../state/make-calls.ts';
import {type ViewEvent} from '../state/view-event.ts';
import {type Store} from '../state/store.ts';
import {type Clock, sleep} from '../util/clock.ts';
import {waitingCount} from '../state/waiting.ts';
import {type DashboardPreferences, titleSequence, watchDashboard} from './dashboard-effects.ts';
import {createHandOver, type SuspendTerminal} from './hand-over.ts';
import {createProgramRunner, type ProgramRunner} from './program-runner.ts';
import {type Controller, createController} from './input/controller.ts';
import {type GuardedStream, guardOutput} from './terminal/stdout-guard.ts';
import {type JobControl} from './terminal/job-control.ts';
import {openTerminalInput, type TerminalInput} from './terminal/terminal-input.ts';
import {type TerminalOutput} from './terminal/terminal-output.ts';
import {createTerminalSwitches} from './terminal/terminal-switches.ts';
import {notificationStyle, type NotificationStyle} from './terminal/notification.ts';
import {createDrawnRows, type DrawnRows} from './text/drawn-rows.ts';
import {defaultSettings, settingsIn} from './state/display-settings.ts';
import {onMarkdownLoaded} from './text/markdown-lines.ts';
import {type LocalPrograms, type ProgramAct} from './state/local-programs.ts';
import {type LocalAct} from './state/ui-state.ts';
import {createFullReader, type FullReader} from './state/full-reader.ts';
import {App, type AppProps} from './views/app.tsx';

/**
Appearance and permissions of the dashboard. Settings, view and sort orders are the last chosen ones; default: the overview, each list's own order.
*/
export type DashboardSettings = Partial<DashboardPreferences> & {
	readonly noColor: boolean;
	readonly ascii: boolean;
	readonly readOnly: boolean;
	/** Notifications that the terminal shows; default: both forms. */
	readonly notifications?: NotificationStyle;
};

type DashboardOptions = Pick<GatewayClient, 'call'> & {
	readonly store: Pick<Store, 'getSnapshot' | 'subscribe'>;
	/** Takes the pages and lists that calls have read, for the store. */
	readonly show: (view: ViewEvent, profile: string | undefined) => void;
	/** Does what only the window itself does. */
	readonly act: (act: Exclude<LocalAct, {type: 'abort-rehearsal' | 'program'}>) => void;
	/** The editor and own keys of the person; absent where this process runs none. */
	readonly programs?: LocalPrograms;
	readonly clock: Clock;
	/** The shell's ability to resume the program after a suspension. */
	readonly jobControl: () => JobControl;
	readonly stdin: NodeJS.ReadStream;
	/** From `openTerminalOutput`; the store's `isBlocked` is its `isBlocked`. */
	readonly output: TerminalOutput;
	readonly settings: DashboardSettings;
	readonly version: string;
	/** Streams whose stray writes go to `onStrayLine` instead of over the frame. */
	readonly guarded: readonly GuardedStream[];
	readonly onStrayLine: (line: string) => void;
	/** Called once for a terminal that does not report its position: what it was sent counts as shown. */
	readonly onSilentTerminal: () => void;
	/** Called with settings, view and sort orders after a person chose another one. */
	readonly savePreferences?: (preferences: DashboardPreferences) => void;
	/** Called once, after the terminal was restored. */
	readonly onExit: (end: DashboardEnd) => void;
};

/** The end of the dashboard: closed from outside, or by an error while drawing, to be printed with exit code 1. */
export type DashboardEnd = {readonly kind: 'closed'} | {readonly kind: 'failed'; readonly error: unknown};

export type Dashboard = {
	/** Closes the dashboard and restores the terminal. A second call does nothing. */
	readonly unmount: () => void;
	readonly done: Promise<DashboardEnd>;
	/** Resolves when the terminal owes no answer, at the latest after 200 ms. A later answer would be typed into the shell. */
	readonly answered: () => Promise<void>;
};

const answerMilliseconds = 200;
const answerPollMilliseconds = 10;

/** Erases all rows, and goes to the first (ECMA-48, ED and CUP). */
const eraseScreen = '\u001B[2J\u001B[H';

/** Opens the dashboard. It needs no more of the core than an empty store: the first frame comes before the gateway runs. */
export function mountDashboard(options: DashboardOptions): Dashboard {
	const {store, clock, output} = options;
	const {promise: done, resolve} = Promise.withResolvers<DashboardEnd>();
	const readFull = createFullReader({
		readFull: createReadFull(options.call),
		connection: () => store.getSnapshot().console,
		onRead: () => controller.dispatch({type: 'full-read'}),
	});
	const drawnRows = createDrawnRows();
	const terminal: Terminal = {holder: 'dashboard'};
	const isLent = () => terminal.holder === 'other';
	const startProgram = (act: ProgramAct) => programs.start(act);
	const controller: Controller = openController({...options, ...drawnRows, readFull, isLent, startProgram});
	const guard = guardOutput(options.guarded, options.onStrayLine);
	const onKey = createKeyNotes(options.call, clock);
	const props = {...appProps(options, controller, terminal), readFull, drawnRows, onKey};
	const {awaitsReply, answered, reported} = controller;
	const input = openTerminalInput({stdin: options.stdin, clock, awaitsReply, onReply: answered, onReport: reported});
	const instance = renderApp(props, {output, stdin: input.stream});
	const {write, switches, handOver} = openHandOver(options, {controller, input, terminal});
	const programs: ProgramRunner = createProgramRunner({...options, handOver, dispatch: controller.dispatch});
	const stopWatching = watchDashboard({
		switches,
		notifications: options.settings.notifications ?? notificationStyle({}),
		store,
		controller,
		clock,
		write,
		isLent,
		handOver,
		redraw() {
			instance.clear();
			// Ink clears as many rows as it has drawn, but a terminal that wraps or unwraps them at another size has moved them.
			write(eraseScreen);
			instance.rerender(<App {...props} />);
		},
		savePreferences: options.savePreferences ?? (() => undefined),
		// The group, so that a shell sees its job stopped even with npm in between.
		stopJob: () => process.kill(0, 'SIGTSTP'),
	});

	const stopRedrawing = onMarkdownLoaded(() => controller.dispatch({type: 'markdown-loaded'}));
	let ended = false;
	const end = (how: DashboardEnd) => {
		if (ended) {
			return;
		}

		ended = true;
		process.off('exit', giveBack);
		stopWatching();
		programs.close();
		stopRedrawing();
		input.close();
		controller.close();
		output.restore(switches.undo());
		instance.unmount();
		guard.release();
		options.onExit(how);
		resolve(how);
	};

	// The end of the process passes here, after an uncaught error too.
	const giveBack = () => output.restore(switches.undo());
	process.on('exit', giveBack);
	instance.waitUntilExit().then(
		() => end({kind: 'closed'}),
		(error: unknown) => end({kind: 'failed', error}),
	);
	return {
		unmount: () => end({kind: 'closed'}),
		done,
		answered: () => untilAnswered(controller, clock, () => ended || output.isBlocked()),
	};
}

/** The way in which others get the terminal, and the dashboard writes between its frames. */
function openHandOver(
	{store, clock, output}: DashboardOptions,
	parts: {readonly controller: Controller; readonly input: TerminalInput; readonly terminal: Terminal},
) {
	const {terminal} = parts;
	const write = (text: string) => void output.stream.write(text);
	const switches = createTerminalSwitches(write);
	const handOver = createHandOver({
		...parts,
		switches,
		clock,
		output,
		write,
		suspendTerminal: () => terminal.suspendTerminal,
		titleSequence: () => titleSequence(waitingCount(store.getSnapshot())),
		onHolder: holder => void (terminal.holder = holder),
	});
	return {write, switches, handOver};
}

/** The state of the window, and the calls that its keys make. */
function openController(
	options: DashboardOptions &
		Pick<DrawnRows, 'rowAt'> & {
			readonly readFull: FullReader;
			readonly isLent: () => boolean;
			readonly startProgram: ProgramRunner['start'];
		},
): Controller {
	const {readFull, rowAt, startProgram} = options;
	const {store, clock, output, settings} = options;
	const calls = createCallMaker({
		call: options.call,
		show: options.show,
		ended: end => controller.dispatch({type: 'call-ended', end}),
	});
	const controller: Controller = createController({
		store,
		make: calls.make,
		act(act) {
			switch (act.type) {
				case 'abort-rehearsal':
					calls.abort('rules.rehearse');
					break;
				case 'program':
					startProgram(act.act);
					break;
				case 'stop':
				case 'start-demo':
					options.act(act);
			}
		},
		readFull,
		jobControl: options.jobControl,
		ownKeys: options.programs?.keys,
		clock,
		// Nothing is asked of a terminal that another program has.
		isBlocked: () => options.isLent() || output.isBlocked(),
		write: text => void output.stream.write(text),
		onSilent: options.onSilentTerminal,
		readOnly: settings.readOnly,
		preferences: preferencesIn(settings),
		colors: settings.noColor ? 'unused' : 'used',
		rowAt,
	});
	return controller;
}

/** The earlier choices; default: the overview, and every list in its own order. */
function preferencesIn({view = 'overview', sort = {}, ...settings}: DashboardSettings): DashboardPreferences {
	return {...defaultSettings, ...settingsIn(name => settings[name]), view, sort};
}

async function untilAnswered(controller: Controller, clock: Clock, isInVain: () => boolean): Promise<void> {
	const until = clock.elapsed() + answerMilliseconds;
	while (controller.awaitsReply() && !isInVain() && clock.elapsed() < until) {
		await sleep(clock, answerPollMilliseconds);
	}
}

type Terminal = {suspendTerminal?: SuspendTerminal; holder: 'dashboard' | 'other'};

function appProps(
	options: DashboardOptions,
	controller: Controller,
	terminal: Terminal,
): Omit<AppProps, 'readFull' | 'drawnRows' | 'onKey'> {
	const {store, clock, settings, version} = options;
	return {
		store,
		controller,
		now: clock.now,
		onSuspender(suspendTerminal) {
			terminal.suspendTerminal = suspendTerminal;
		},
		noColor: settings.noColor,
		ascii: settings.ascii,
		readOnly: settings.readOnly,
		ownKeys: options.programs?.keys,
		version,
	};
}

function renderApp(props: AppProps, {output, stdin}: Pick<DashboardOptions, 'output' | 'stdin'>): Instance {
	return render(<App {...props} />, {
		stdout: output.stream,
		stdin,
		alternateScreen: true,
		incrementalRendering: true,
		interactive: true,
		maxFps: 60,
		exitOnCtrlC: false,
		patchConsole: false,
		onRender: props.controller.framePainted,
	});
}
