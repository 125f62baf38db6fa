import {createHold, createHoldFileCheck, type HeldWork, type Hold, type HoldCheck} from '../../approvals/hold.ts';
import {type HoldFile, holdFileSchema} from '../../approvals/hold-state.ts';
import {type DocumentKind, type Documents} from '../../config/values/stored-document.ts';
import {acquireLock} from '../../control/lock.ts';
import {type ControlHandlers, type ControlResult} from '../../control/methods.ts';
import {type LiveSnapshot} from '../../state/gathered-snapshot.ts';
import {heldText} from '../../state/status-line.ts';
import {originText, safeOrigin} from '../../state/origin.ts';
import {problemCodes} from '../../util/problem-codes.ts';
import {toProblem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {maskedJson} from '../../util/shown-json.ts';
import {findDatabase, nodeName, sharedName} from '../journal/configured-journal.ts';
import {type GatewayFault} from '../journal/journal-fault.ts';
import {type OpenProfile, loadOpenProfile} from '../profiles/open-profile.ts';
import {type ProfileContext, type RuntimeContext} from '../profiles/profile-context.ts';
import {assertCommandsMayAllow} from './command-permission.ts';

/** Opens the hold of a gateway with these profiles, which `node` names among those that share its journal. */
export function openHold(
	contexts: readonly [OpenProfile, ...OpenProfile[]],
	node: () => string | undefined = () => undefined,
): Hold {
	const [{clock, publish}] = contexts;
	const hold = createHold({clock, publish, node, stores: contexts.map(({documents}) => openHoldStore(documents))});
	const endings = contexts.map(({documents}) => documents.onChange('hold', hold.refresh));
	return {
		...hold,
		close() {
			endings.forEach(end => end());
			hold.close();
		},
	};
}

/** The hold for tools in a process of their own, beside a gateway or without one. */
export function openHoldCheck(context: Pick<OpenProfile, 'documents' | 'clock' | 'current'>): HoldCheck {
	return createHoldFileCheck(openHoldStore(context.documents), context.clock, () =>
		sharedName(context.current().config),
	);
}

const holdDocument: DocumentKind<HoldFile> = {name: 'hold', schema: holdFileSchema, fallback: {held: null}};

/** Whether everything of a profile is held, as it is stored. */
export function openHoldStore({open}: Documents) {
	return open(holdDocument);
}

/**
Opens the hold of the next start in this process, and of every gateway on the same database, for one command. Nobody starts a gateway here meanwhile,
which might have read the file before.
Rejects with `gateway_running` while one starts or stops.
*/
export async function openHoldAccess(runtime: RuntimeContext) {
	const context = await loadOpenProfile(runtime);
	const lock = await acquireLock(context.paths.lock);
	const database = await findDatabase(context);
	const hold = openHold([context], () => (database ? nodeName(context.current().config) : undefined));
	const show = () => ({held: hold.current() ?? null, waiting: [], queued_runs: 0});
	return {
		of: database ? ('every-gateway' as const) : ('next-start' as const),
		hold: (reason: string) => hold.hold({by: 'cli', reason}),
		show: async () => show(),
		release: (hash: string) => releaseByCommand(context, hold, hash),
		close: lock.release,
	};
}

/** Throws `commands_denied` where commands may not allow anything: a release lets calls go on. */
async function releaseByCommand(context: Pick<ProfileContext, 'current'>, hold: Hold, hash: string) {
	assertCommandsMayAllow(context);
	return {answer: await hold.release({by: 'cli', hash}), held: hold.current() ?? null};
}

/** The arguments of more waiting calls are not sent, and of each not more than this. */
const mostShown = 50;
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

type HeldWorkJson = ControlResult<'hold.show'>['waiting'][number];

type HoldMethods = Pick<ControlHandlers, 'hold' | 'hold.show' | 'unhold' | 'gateway.faults'>;

/** What commands do with the hold (docs/approvals.md, Hold), and what is wrong with the gateway. */
export function holdMethods(
	context: Pick<OpenProfile, 'current' | 'redactor' | 'documents'>,
	{
		hold,
		live,
		journalFault,
	}: {
		readonly hold: Hold;
		readonly live: Pick<LiveSnapshot, 'current'>;
		readonly journalFault: () => GatewayFault | undefined;
	},
): HoldMethods {
	return {
		hold: ({reason = ''}) => hold.hold({by: 'cli', reason}),
		'hold.show': () => ({
			held: hold.current() ?? null,
			waiting: hold
				.waiting()
				.map((work, index) => heldWorkJson(work, {context, arguments: index < mostShown ? 'shown' : 'left-out'})),
			queued_runs: live.current().runs.filter(({state}) => state === 'queued').length,
		}),
		unhold: ({hash}) => releaseByCommand(context, hold, hash),
		'gateway.faults'() {
			const fault = journalFault();
			const held = hold.current();
			return [
				...(fault ? [{check: 'journal', message: fault.message, remedy: fault.remedy}] : []),
				...(held
					? [{check: 'hold', message: `Everything is ${heldText(held)}`, remedy: holdRemedy(context.documents)}]
					: []),
			];
		},
	};
}

/** What to do about a hold: one that cannot be read is not released before that is mended. */
export function holdRemedy(documents: Documents): string {
	try {
		openHoldStore(documents).read();
		return problemCodes.held.remedy;
	} catch (caught) {
		return toProblem(caught).remedy;
	}
}
