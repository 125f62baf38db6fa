import {type ControlServer, openControlServer} from '../control/server.ts';
import {type OpenConsole} from '../state/console.ts';
import {type ConsoleMode, consoleName} from '../state/console-state.ts';
import {type GatewayEventBody} from '../state/event.ts';
import {type LiveSnapshot} from '../state/gathered-snapshot.ts';
import {claimed} from '../util/safe-text.ts';
import {commandCaller} from './api/handler-context.ts';
import {type HandlersOf} from './api/handlers.ts';
import {type ProfileContext} from './profiles/profile-context.ts';

/** Opens the socket of commands and attached dashboards. Resolves with the function that closes it. */
export async function openControlSocket(
	context: ProfileContext,
	{
		handlersOf,
		openConsole,
		live,
	}: {readonly handlersOf: HandlersOf; readonly openConsole: OpenConsole; readonly live: LiveSnapshot},
): Promise<ControlServer['close']> {
	const {publish, eventBus} = context;
	const control = await openControlServer({
		...context,
		path: context.paths.controlSocket,
		handlersOf: profile => handlersOf(profile, commandCaller),
		consoles: {live, eventBus, openConsole, onOpened: ({number}, claim) => publish(openedLog(number, claim))},
	});
	return control.close;
}

/** The terminal of an attached console is its claim. */
function openedLog(
	number: number,
	{mode, terminal}: {readonly mode: ConsoleMode; readonly terminal: string},
): GatewayEventBody {
	const attached = `${consoleName(number)} attached${mode === 'read-only' ? ', read-only' : ''}`;
	const text = [attached, claimed('terminal', terminal, {maximumCharacters: 200})].filter(Boolean).join('; ');
	return {type: 'log', level: 'info', area: 'console', text};
}
