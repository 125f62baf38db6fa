import {type Agent} from '../agent/agent.ts';
import {type Publish} from '../state/event.ts';

/** The agent of a profile as its runs need it. */
export type RunAgent = Pick<Agent, 'model' | 'ready' | 'answer' | 'allowedTools'>;

/** What runs of one profile stand on. */
export type RunProfile = {
	/** Publishes an event in the name of the profile. */
	readonly publish: Publish;
	readonly agent: RunAgent;
};

/** The profile of a run; one that is served no more has an agent without a model. */
export type ProfileOf = (name: string) => RunProfile;
