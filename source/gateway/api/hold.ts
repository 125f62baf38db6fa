import {type HeldWork, type Hold} from '../../approvals/hold.ts';
import {type GatewayHandlers} from '../../control/methods.ts';
import {type ResultOf} from '../../state/api.ts';
import {type HeldWorkJson} from '../../state/json/gateway.ts';
import {originText, safeOrigin} from '../../state/origin.ts';
import {heldText} from '../../state/status-line.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {maskedJson} from '../../util/shown-json.ts';
import {type JournalState} from '../journal/gateway-journal.ts';
import {unreadableFault} from '../journal/unreadable-rows.ts';
import {type OpenProfile} from '../documents/open-profile.ts';
import {type RemoteStatus} from '../services/remote-service.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {holdRemedy} from '../stores/hold-store.ts';
import {assertMayAllow, type Caller, type HandlerContext} from './handler-context.ts';

/** Releases a hold. Throws `commands_denied` where commands may not allow anything: a release lets calls go on. */
export async function releaseHold(
	hash: string,
	{
		caller,
		context,
		hold,
	}: {readonly caller: Caller; readonly context: Pick<ProfileContext, 'current'>; readonly hold: Hold},
): Promise<ResultOf<'unhold'>> {
	assertMayAllow(caller, context);
	const answer = await hold.release({by: caller.name, hash});
	if (caller.kind === 'console' && answer === 'changed') {
		throw new Problem('held', {
			message: 'Nothing was released: another hold has begun, or somebody else is releasing this one',
		});
	}

	return {answer, held: hold.current() ?? null};
}

/** The arguments of more waiting calls are not sent, and of each not more than this. */
const maxShown = 50;
const argumentLimits = {textBytes: 4000, bytes: 8000} as const;

function heldWorkJson(
	{kind, server, tool, origin, arguments: args}: HeldWork,
	options: {readonly context: Pick<ProfileContext, 'redactor'>; readonly arguments: 'shown' | 'left-out'},
): HeldWorkJson {
	const {partsOf} = options.context.redactor;
	const shown =
		args && options.arguments === 'shown'
			? maskedJson(args, {room: argumentLimits, masks: {names: 'secret', partsOf}})
			: undefined;
	return {
		kind,
		server: safeText(server, {maximumCharacters: 200}),
		tool: safeText(tool, {maximumCharacters: 200}),
		origin: originText(safeOrigin(origin)),
		arguments: shown?.value ?? null,
		cut_bytes: shown?.cutBytes ?? 0,
		masked_values: shown?.maskedValues ?? 0,
		marked_characters: shown?.markedCharacters ?? 0,
	};
}

/** Chats that cannot be used. */
function remoteFaults(status: readonly RemoteStatus[]) {
	return status.flatMap(({profile, platform, state, message}) =>
		message === undefined || state === 'elsewhere'
			? []
			: [
					{
						check: 'remote',
						message: `${platform} of profile ${profile} ${state === 'failed' ? 'is not used' : 'does not work'}: ${message}`,
						remedy: 'See `approvals.remote` in config.yaml and docs/remote.md',
					},
				],
	);
}

type HoldHandlers = Pick<GatewayHandlers, 'hold' | 'hold.show' | 'unhold' | 'gateway.faults'>;

/** The hold (docs/approvals.md, Hold), and the faults of the gateway. */
export function holdHandlers({
	profile: {context},
	caller,
	hold,
	live,
	journalFault,
	journalState,
	remote,
}: Pick<HandlerContext, 'caller' | 'hold' | 'journalFault' | 'remote'> & {
	readonly journalState: () => Pick<JournalState, 'unreadable'>;
	readonly profile: {readonly context: Pick<OpenProfile, 'current' | 'redactor' | 'documents'>};
	readonly live: Pick<HandlerContext['live'], 'current'>;
}): HoldHandlers {
	return {
		hold: ({reason = ''}) => hold.hold({by: caller.name, reason}),
		'hold.show': () => ({
			held: hold.current() ?? null,
			waiting: hold
				.waiting()
				.map((work, index) => heldWorkJson(work, {context, arguments: index < maxShown ? 'shown' : 'left-out'})),
			queued_runs: live.current().runs.filter(({state}) => state === 'queued').length,
		}),
		unhold: ({hash}) => releaseHold(hash, {caller, context, hold}),
		'gateway.faults'() {
			const fault = journalFault();
			const leftOut = unreadableFault(journalState().unreadable);
			const held = hold.current();
			return [
				...(fault ? [{check: 'journal', message: fault.message, remedy: fault.remedy}] : []),
				...(leftOut ? [{check: 'rows', ...leftOut}] : []),
				...remoteFaults(remote.status()),
				...(held
					? [{check: 'hold', message: `Everything is ${heldText(held)}`, remedy: holdRemedy(context.documents)}]
					: []),
			];
		},
	};
}
