import {type Command} from '../../state/command.ts';
import {type CronService} from '../cron-service.ts';
import {type WebhookService} from '../webhook-service.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';
import {type Proposals} from '../proposals.ts';
import {type ToolService} from '../tool-service.ts';

/** What commands act on. */
export type CommandTargets = {
	readonly context: ProfileContext;
	readonly tools: Pick<
		ToolService,
		'approvals' | 'questions' | 'rules' | 'connections' | 'catalogue' | 'callTool' | 'running' | 'uncertain' | 'logins'
	>;
	readonly cron: Pick<CronService, 'fire' | 'change'>;
	readonly events: Pick<
		WebhookService,
		| 'runs'
		| 'show'
		| 'showCall'
		| 'showDecision'
		| 'showDelivery'
		| 'dryRun'
		| 'replay'
		| 'setRoutePaused'
		| 'dismissDeliveries'
	>;
	readonly proposals: Pick<Proposals, 'answer'>;
	readonly reload: () => Promise<unknown>;
	/** Commands about the process itself are for whoever started the gateway. */
	readonly leave: (command: Extract<Command, {type: 'stop' | 'start-demo'}>) => void;
};
