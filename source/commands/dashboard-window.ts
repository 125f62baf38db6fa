import {type Hall} from '../state/hall.ts';
import {type Send} from '../state/command.ts';
import {createStore} from '../state/store.ts';
import {type Dashboard, mountDashboard} from '../tui/mount.tsx';
import {openTerminalOutput} from '../tui/terminal-output.ts';
import {safeText} from '../util/safe-text.ts';
import {type Session} from './session.ts';
import {openWindowMemory} from './window-memory.ts';

/** While the core starts, its words are gathered: drawing each of its first states would make it listen later. */
const firstMilliseconds = 150;

/** Opens the window of this process over a store that hears the hall. What anybody else writes to the terminal becomes a log event. */
export function openWindow(session: Session, hall: Hall, send: Send): Dashboard {
	const {clock, environment, flags, version} = session;
	const publish = hall.publishFor(session.paths.profile);
	// `SLUICE_WRITER=worker` draws from a thread of its own, for terminals on which the other way does not hold.
	const writer = environment.variables['SLUICE_WRITER'] === 'worker' ? 'worker' : 'non-blocking';
	const output = openTerminalOutput({stdout: process.stdout, writer});
	const memory = openWindowMemory(session.paths.ui, text =>
		publish({type: 'log', level: 'warning', area: 'window', text: safeText(text)}),
	);
	const openedAt = clock.elapsed();
	const store = createStore({clock, hold: () => output.hold() || clock.elapsed() - openedAt < firstMilliseconds});
	hall.listen(store.publish);
	return mountDashboard({
		store,
		send,
		clock,
		stdin: process.stdin,
		output,
		settings: {noColor: environment.noColor, ascii: flags.ascii, readOnly: flags.readOnly, theme: memory.theme()},
		version,
		keepTheme: memory.keepTheme,
		guarded: [process.stdout, process.stderr],
		onStrayLine: text => publish({type: 'log', level: 'info', area: 'output', text}),
		onExit: () => store.close(),
	});
}
