import {type EventBus} from '../../state/event-bus.ts';
import {type Send, type ReadWhole} from '../../state/command.ts';
import {createStore} from '../../state/store.ts';
import {type Dashboard, mountDashboard} from '../../tui/mount.tsx';
import {openTerminalOutput} from '../../tui/terminal/terminal-output.ts';
import {safeText} from '../../util/safe-text.ts';
import {type Session} from '../cli/session.ts';
import {createUiPreferences} from './ui-preferences.ts';

/** While the core starts, its words are gathered: drawing each of its first states would make it listen later. */
const firstMilliseconds = 150;

/** Opens the window of this process over a store that hears the event bus. What anybody else writes to the terminal becomes a log event. */
export function createDashboard(
	session: Session,
	eventBus: EventBus,
	core: {readonly send: Send; readonly readWhole: ReadWhole},
): Dashboard {
	const {clock, environment, flags, version} = session;
	const publish = eventBus.publishFor(session.paths.profile);
	// `SLUICE_WRITER=worker` draws from a thread of its own, for terminals on which the other way does not hold.
	const writer = environment.variables['SLUICE_WRITER'] === 'worker' ? 'worker' : 'non-blocking';
	const output = openTerminalOutput({stdout: process.stdout, stderr: process.stderr, writer});
	const warn = (text: string) => publish({type: 'log', level: 'warning', area: 'window', text: safeText(text)});
	const memory = createUiPreferences(session.paths.ui, warn);
	const openedAt = clock.elapsed();
	const store = createStore({clock, hold: () => output.hold() || clock.elapsed() - openedAt < firstMilliseconds});
	eventBus.listen(store.publish);
	return mountDashboard({
		store,
		...core,
		clock,
		stdin: process.stdin,
		output,
		settings: {noColor: environment.noColor, ascii: flags.ascii, readOnly: flags.readOnly, theme: memory.theme()},
		version,
		saveTheme: memory.saveTheme,
		guarded: [process.stdout, process.stderr],
		onStrayLine: text => publish({type: 'log', level: 'info', area: 'output', text}),
		onSilentTerminal: () => warn('this terminal does not say what it has shown; what it was sent counts as shown'),
		onExit: () => store.close(),
	});
}
