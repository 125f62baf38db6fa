import {type Command} from '../../state/command.ts';
import {type CronWing} from '../cron-wing.ts';
import {type EventWing} from '../event-wing.ts';
import {type Foundation} from '../foundation.ts';
import {type Proposals} from '../proposals.ts';
import {type ToolWing} from '../tool-wing.ts';

/** What orders act on. */
export type OrderTargets = {
	readonly foundation: Foundation;
	readonly tools: Pick<
		ToolWing,
		'desk' | 'questions' | 'rules' | 'connections' | 'catalogue' | 'callTool' | 'running' | 'uncertain' | 'logins'
	>;
	readonly cron: Pick<CronWing, 'fire' | 'change'>;
	readonly events: Pick<EventWing, 'runs' | 'show' | 'dryRun' | 'replay' | 'setRoutePaused'>;
	readonly proposals: Pick<Proposals, 'answer'>;
	readonly reload: () => Promise<unknown>;
	/** Orders about the process itself: they belong to whoever started the gateway. */
	readonly leave: (order: Extract<Command, {type: 'stop' | 'start-demo'}>) => void;
};
