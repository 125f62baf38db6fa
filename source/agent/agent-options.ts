import {type AskPerson} from '../approvals/question-queue.ts';
import {type GatewayConfig} from '../config/read/gateway-config.ts';
import {type Publish} from '../state/event.ts';
import {type CallBuiltIn} from '../tools/call-built-in.ts';
import {type CallTool} from '../tools/call-tool.ts';
import {type RegisteredTool} from '../tools/catalogue.ts';
import {type Clock} from '../util/clock.ts';
import {type LocalServer} from './models/local-models.ts';
import {type ChoiceScope} from './models/model-choice.ts';
import {type AskLimit, type Spending} from './spending.ts';

/** The tools of a profile. */
export type AgentTools = {
	readonly list: () => readonly RegisteredTool[];
	/** The only way to the tools. */
	readonly callTool: CallTool;
	readonly askPerson: AskPerson;
	/** Forgets what a person approved for a run. */
	readonly endRun: (runId: string) => void;
	/** The only way to the built-in tools. */
	readonly callBuiltIn: CallBuiltIn;
	/** Asks a person about a limit of a run. */
	readonly askLimit: AskLimit;
	/** True if a person can answer. */
	readonly isAttended: () => boolean;
};

/** The dependencies of the agent of one profile. */
export type AgentOptions = {
	readonly clock: Clock;
	readonly publish: Publish;
	/** Read at every use, so that it may be a live view of the configuration. */
	readonly config: () => Pick<
		GatewayConfig,
		'model' | 'visionModel' | 'search' | 'agent' | 'toolsets' | 'approvals' | 'servers'
	>;
	readonly scope: ChoiceScope;
	/** The folders of the skills and of the media in tool results. */
	readonly folders: {readonly skills: string; readonly media: string};
	/** Resolves once the tools are registered; runs may start before. */
	readonly tools: () => Promise<AgentTools>;
	/** Counts what is spent; absent: there are no limits. */
	readonly spending?: Spending | undefined;
	/** Default: the usual model servers of this machine. */
	readonly servers?: readonly LocalServer[];
	/** The number of retries of a temporarily failed request. Default: 3. */
	readonly maxRetries?: number;
};
