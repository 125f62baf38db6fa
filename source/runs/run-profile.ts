import {type Agent} from '../agent/agent.ts';
import {type Publish} from '../state/event.ts';

/** The agent of a profile as its runs need it. */
export type RunAgent = Pick<Agent, 'model' | 'ready' | 'answer' | 'allowedTools'>;

/** The dependencies of the runs of one profile. */
export type RunProfile = {
	/** Publishes an event in the name of the profile. */
	readonly publish: Publish;
	readonly agent: RunAgent;
};

/** Finds the profile of a run; one that is no longer served has an agent without a model. */
export type ProfileOf = (name: string) => RunProfile;
