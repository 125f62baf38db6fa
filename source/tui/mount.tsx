import {type Instance, render} from 'ink';
import {App, type AppProps} from './app.tsx';
import {type Controller, createController} from './controller.ts';
import {type DashboardEnd, type DashboardOptions} from './dashboard-options.ts';
import {guardOutput} from './stdout-guard.ts';
import {type SuspendTerminal} from './suspend-window.ts';
import {watchWindow} from './window-effects.ts';

export type Dashboard = {
	/** Closes the window and gives the terminal back. Twice does nothing. */
	readonly unmount: () => void;
	readonly done: Promise<DashboardEnd>;
};

/** Opens the window. It needs nothing of the core but an empty store: the first frame comes before the core does. */
export function mountDashboard(options: DashboardOptions): Dashboard {
	const {store, send, clock, output, settings} = options;
	const {promise: done, resolve} = Promise.withResolvers<DashboardEnd>();
	const controller = createController({
		store,
		send,
		clock,
		hold: output.hold,
		readOnly: settings.readOnly,
		theme: settings.theme ?? 'dark',
	});
	const terminal: Terminal = {};
	const guard = guardOutput(options.guarded, options.onStrayLine);
	const props = appProps(options, controller, terminal);
	const instance = renderApp(props, options);
	const stopWatching = watchWindow({
		store,
		controller,
		clock,
		write: text => void output.stream.write(text),
		redraw() {
			instance.clear();
			instance.rerender(<App {...props} />);
		},
		suspendTerminal: () => terminal.suspendTerminal,
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

type Terminal = {suspendTerminal?: SuspendTerminal};

function appProps(options: DashboardOptions, controller: Controller, terminal: Terminal): AppProps {
	const {store, clock, settings, version} = options;
	return {
		store,
		controller,
		handlers: {
			onChange: text => controller.tell({type: 'text-changed', text}),
			onSubmit: text => controller.tell({type: 'text-submitted', text}),
		},
		now: clock.now,
		onSuspender(suspendTerminal) {
			terminal.suspendTerminal = suspendTerminal;
		},
		noColor: settings.noColor,
		ascii: settings.ascii,
		readOnly: settings.readOnly,
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
