import {commandLines, entryLines, entryWarnings} from '../../config/import/proposed-entry.ts';
import {installNamePattern, type InstallLink} from '../../config/import/install-link.ts';
import {assertFreeName, changeProfile, createProfileChange, isTakenName} from '../../config/edit/profile-change.ts';
import {type StatePaths} from '../../config/read/state-paths.ts';
import {type ProposalAnswer} from '../../state/person-answers.ts';
import {type GatewayEventBody, type Publish} from '../../state/event.ts';
import {type Clock} from '../../util/clock.ts';
import {Problem} from '../../util/problem.ts';
import {orderedId} from '../../util/random-id.ts';

/** The end of a proposal; `name` is the name that the server got. */
type ProposalEnd =
	| {readonly outcome: 'installed'; readonly name: string}
	| {readonly outcome: 'cancelled' | 'withdrawn'};

/** Servers of install links that wait for a person at the dashboard (docs/tool-servers.md, Install links). */
export type Proposals = {
	/** Shows the proposal and waits for its end. The caller's abort withdraws it. */
	readonly propose: (link: InstallLink, options: {readonly signal: AbortSignal}) => Promise<ProposalEnd>;
	/** Applies a person's answer; its caller reloads after an install. A taken name leaves the proposal open; rejects with `server_exists`, or the reason that nothing could be written. */
	readonly answer: (id: string, answer: ProposalAnswer) => Promise<'installed' | 'cancelled' | 'unknown'>;
	/** Withdraws everything; later proposals are withdrawn at once. */
	readonly close: () => void;
};

type Pending = {readonly link: InstallLink; readonly requestedAt: number; readonly settle: (end: ProposalEnd) => void};

/** More than a person looks through. */
const maxPending = 20;

/** Opens the place where proposals wait. */
export function createProposals(options: {
	readonly paths: Pick<StatePaths, 'config' | 'env'>;
	readonly clock: Clock;
	readonly publish: Publish;
}): Proposals {
	const {paths, clock, publish} = options;
	const pending = new Map<string, Pending>();
	let phase: 'open' | 'closed' = 'open';

	const settle = (id: string, end: ProposalEnd) => {
		const found = pending.get(id);
		if (found && pending.delete(id)) {
			publish({type: 'proposal.settled', id, ...end});
			found.settle(end);
		}
	};

	const install = async (id: string, name?: string) => {
		const found = pending.get(id);
		if (found) {
			const chosen = name ?? found.link.name;
			await installServer({paths, clock}, chosen, found.link);
			settle(id, {outcome: 'installed', name: chosen});
		}
	};

	return {
		async propose(link, {signal}) {
			if (phase === 'closed' || signal.aborted || pending.size >= maxPending) {
				return {outcome: 'withdrawn'};
			}

			const id = orderedId(clock.now());
			const end = Promise.withResolvers<ProposalEnd>();
			const proposal = {link, requestedAt: clock.now(), settle: end.resolve};
			pending.set(id, proposal);
			const withdraw = () => settle(id, {outcome: 'withdrawn'});
			signal.addEventListener('abort', withdraw, {once: true});
			try {
				publish(await askedEvent({paths, clock}, id, proposal));
				return await end.promise;
			} finally {
				pending.delete(id);
				signal.removeEventListener('abort', withdraw);
			}
		},
		async answer(id, answer) {
			if (!pending.has(id)) {
				return 'unknown';
			}

			if (answer.kind === 'cancel') {
				settle(id, {outcome: 'cancelled'});
				return 'cancelled';
			}

			await install(id, answer.kind === 'rename' ? answer.name : undefined);
			return 'installed';
		},
		close() {
			phase = 'closed';
			for (const id of pending.keys()) {
				settle(id, {outcome: 'withdrawn'});
			}
		},
	};
}

async function askedEvent(
	{paths, clock}: {readonly paths: Pick<StatePaths, 'config' | 'env'>; readonly clock: Clock},
	id: string,
	{link, requestedAt}: Pending,
): Promise<Extract<GatewayEventBody, {type: 'proposal.asked'}>> {
	const {config} = await createProfileChange(paths, clock);
	return {
		type: 'proposal.asked',
		id,
		name: link.name,
		nameState: isTakenName(config, link.name) ? 'taken' : 'free',
		entryLines: entryLines(link.entry),
		commandLines: commandLines(link.entry),
		warnings: [...entryWarnings(link.entry), ...link.warnings],
		requestedAt,
	};
}

/** Writes the entry of a link that a person confirmed. Throws `bad_usage` for a name that is none, `server_exists` for one that is taken. */
async function installServer(
	{paths, clock}: {readonly paths: Pick<StatePaths, 'config' | 'env'>; readonly clock: Clock},
	name: string,
	{entry}: Pick<InstallLink, 'entry'>,
): Promise<void> {
	if (!installNamePattern.test(name)) {
		throw new Problem('bad_usage', {
			message: 'The name must have 1 to 64 letters, digits, dots, underscores or hyphens',
		});
	}

	await changeProfile({paths, clock}, ({config}) => {
		assertFreeName(config, name);
		config.set(['mcp_servers', name], entry);
	});
}
