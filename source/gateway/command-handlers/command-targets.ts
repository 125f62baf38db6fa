import {type Hold} from '../../approvals/hold.ts';
import {type BrowserPlace} from '../../state/console-state.ts';
import {type Publish} from '../../state/event.ts';
import {type CronService} from '../cron-service.ts';
import {type WebhookService} from '../webhook-service.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type Proposals} from '../proposals.ts';
import {type ConsoleRehearsal} from '../rehearsals.ts';
import {type ToolService} from '../tool-service.ts';

/** What commands act on. */
export type CommandTargets = {
	readonly context: ProfileContext;
	/** Who gave the command: decisions name it, what it asked to see is published to it alone, and its logins open the browser where it says. */
	readonly console: {
		readonly name: string;
		readonly show: Publish;
		readonly browser: BrowserPlace;
		readonly rehearsal: ConsoleRehearsal;
		/** That of the rule which a request proposes. */
		readonly proposalRehearsal: ConsoleRehearsal;
	};
	readonly tools: Pick<
		ToolService,
		| 'approvals'
		| 'questions'
		| 'requests'
		| 'rules'
		| 'storedRules'
		| 'listRuleUses'
		| 'listCalls'
		| 'findCall'
		| 'rehearse'
		| 'connections'
		| 'catalogue'
		| 'callTool'
		| 'running'
		| 'uncertain'
		| 'logins'
	>;
	readonly cron: Pick<CronService, 'fire' | 'change'>;
	readonly events: Pick<
		WebhookService,
		| 'runs'
		| 'show'
		| 'showCall'
		| 'showDecision'
		| 'showDelivery'
		| 'showRun'
		| 'showTrace'
		| 'dryRun'
		| 'replay'
		| 'setRoutePaused'
		| 'dismissDeliveries'
	>;
	readonly proposals: Pick<Proposals, 'answer'>;
	readonly hold: Pick<Hold, 'hold' | 'release'>;
	readonly reload: () => Promise<unknown>;
};
