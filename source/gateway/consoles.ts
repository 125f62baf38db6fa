import {answeredWords, findAnswered} from '../state/answered.ts';
import {aboutId, type Command, isReadOnlyCommand} from '../state/command.ts';
import {type OpenConsole} from '../state/console.ts';
import {consoleName} from '../state/console-state.ts';
import {type EventBus} from '../state/event-bus.ts';
import {type LiveSnapshot} from '../state/gathered-snapshot.ts';
import {shownId} from '../util/id-part.ts';
import {seenRequest} from '../state/seen-request.ts';
import {type Snapshot} from '../state/snapshot.ts';
import {type CommandDispatch} from './command-dispatch.ts';
import {createConsoleRehearsal} from './rehearsals.ts';
import {type Profiles} from './profiles/profiles.ts';

/**
Builds what opens consoles: they are numbered, what one asks to see reaches it alone, a read-only one changes nothing, and a command about a
request is refused when the request is not what that console has shown. The first answer wins (docs/approvals.md, How approvals end).
*/
export function createConsoles(options: {
	readonly eventBus: Pick<EventBus, 'publishTo'>;
	readonly live: Pick<LiveSnapshot, 'current'>;
	readonly profiles: Pick<Profiles, 'first' | 'all' | 'addConsole'>;
	readonly dispatch: CommandDispatch;
}): OpenConsole {
	const {eventBus, live, profiles, dispatch} = options;
	const {publish, paths} = profiles.first.context;
	const refuse = (text: string) => publish({type: 'log', level: 'warning', area: 'commands', text});
	let opened = 0;
	return ({mode, show, browser = 'gateway', profile = paths.profile}) => {
		opened++;
		const number = opened;
		const name = consoleName(number);
		const attend = () => (mode === 'deciding' ? profiles.addConsole(browser) : () => undefined);
		let leave: (() => void) | undefined = attend();
		let state: 'open' | 'closed' = 'open';
		const rehearsal = createConsoleRehearsal();
		const proposalRehearsal = createConsoleRehearsal();
		const showTo = (profile: string) => eventBus.publishTo(show, profile);
		return {
			number,
			send(given: Command) {
				if (state === 'closed') {
					return;
				}

				const command = {...given, profile: given.profile ?? profile};

				const refuseThis = (text: string) => {
					refuse(text);
					showTo(command.profile)({type: 'view.refused', id: aboutId(command), reason: text});
				};

				if (mode === 'read-only' && !isReadOnlyCommand(command)) {
					// Its dashboard offers nothing else; this check is the one that counts.
					refuseThis(`${name} is read-only: it was opened with --read-only`);
				} else if (command.seen !== seenRequest(command, live.current())) {
					refuseThis(`${name} ${refusalWords(command, live.current())}; nothing was done`);
				} else {
					dispatch(command, {name, browser, rehearsal, proposalRehearsal, show: showTo(command.profile)});
				}
			},
			readWhole: async ({id, profile, masks}) =>
				profiles.all.find(one => one.name === profile)?.tools.requests.fullRequest(id, masks),
			setPresence(presence) {
				if (state === 'closed') {
					return;
				}

				if (presence === 'present') {
					leave ??= attend();
				} else if (leave) {
					leave();
					leave = undefined;
					const text = `${name} has not read for a while, so it counts as absent until it does`;
					publish({type: 'log', level: 'warning', area: 'console', text});
				}
			},
			close() {
				if (state === 'open') {
					state = 'closed';
					leave?.();
					rehearsal.cancel();
					proposalRehearsal.cancel();
				}
			},
		};
	};
}

/** Why a command about a request is refused: it had ended before, and by whom, or it is another one now. */
function refusalWords(command: Command, snapshot: Snapshot): string {
	const id = aboutId(command);
	const answered = findAnswered(snapshot, id);
	if (answered) {
		const what = answered.type === 'question.settled' ? 'question' : 'call';
		return `was too late: the ${what} ${shownId(id)} was already ${answeredWords(answered)}`;
	}

	const decision = snapshot.decisions.findLast(row => row.id === id);
	return decision?.by === undefined
		? 'answered a request that is no longer as it was shown there'
		: `was too late: the request ${shownId(id)} was already ${decision.outcome} by ${decision.by}`;
}
