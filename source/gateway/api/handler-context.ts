import {type Hold} from '../../approvals/hold.ts';
import {type GatewayConfig} from '../../config/read/gateway-config.ts';
import {type Journal} from '../../journal/journal.ts';
import {type ApprovalRequest} from '../../state/approval-event.ts';
import {type BrowserPlace} from '../../state/console-state.ts';
import {type LiveSnapshot} from '../../state/gathered-snapshot.ts';
import {Problem} from '../../util/problem.ts';
import {type EndpointService} from '../services/endpoint-service.ts';
import {type JournalState} from '../journal/gateway-journal.ts';
import {type GatewayFault} from '../journal/journal-fault.ts';
import {type Nodes} from '../journal/nodes.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type Profile} from '../services/profiles.ts';
import {type RemoteAccess} from '../services/remote-access.ts';
import {type Reloads} from '../services/reload.ts';
import {type SpendingLimits} from '../services/spending-limits.ts';
import {type WebhookService} from '../services/webhook-service.ts';

/** The caller of a method, fixed by its connection. Decisions have its name. */
export type Caller =
	| {readonly kind: 'cli'; readonly name: 'cli'}
	| {readonly kind: 'console'; readonly name: string; readonly browser: BrowserPlace};

export const commandCaller: Caller = {kind: 'cli', name: 'cli'};

/** The parts of a running gateway that handlers work with. */
export type GatewayParts = {
	readonly journal: Journal;
	readonly journalFault: () => GatewayFault | undefined;
	readonly journalState: () => JournalState;
	readonly isJournalOpen: () => boolean;
	readonly events: WebhookService;
	readonly endpoint: Pick<EndpointService, 'state'>;
	readonly spending: Pick<SpendingLimits, 'states'>;
	readonly reload: Reloads['reload'];
	readonly hold: Hold;
	readonly live: LiveSnapshot;
	readonly nodes: Pick<Nodes, 'list' | 'showOthers'>;
	readonly remote: Pick<RemoteAccess, 'status'>;
	readonly onStopAsked: () => void;
};

/** The context of the handlers of one call: its caller, and the profiles it sees. */
export type HandlerContext = GatewayParts & {
	readonly caller: Caller;
	/** The profile that is asked. */
	readonly profile: Profile;
	/** The profile the gateway was started for. */
	readonly first: string;
	/** The profile the caller named; undefined: it sees all. */
	readonly named: string | undefined;
	/** As the first profile has it: there is one journal, and one stop. */
	readonly config: () => Pick<GatewayConfig, 'journal' | 'gateway'>;
	readonly listed: readonly Profile[];
};

/** The requests that wait for a person now. */
export function pendingOf({listed}: Pick<HandlerContext, 'listed'>): readonly ApprovalRequest[] {
	return listed.flatMap(({tools}) => tools.requests.approvals());
}

/** Throws `commands_denied` where the configuration keeps commands from allowing anything. */
export function assertMayAllow(
	{kind}: Pick<Caller, 'kind'>,
	{current}: Pick<ProfileContext, 'current'>,
	texts?: {readonly message: string; readonly remedy: string},
): void {
	if (kind === 'cli' && current().config.approvals.commandLine === 'deny') {
		throw new Problem('commands_denied', texts);
	}
}
