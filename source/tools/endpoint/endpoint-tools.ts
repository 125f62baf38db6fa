import {type Clock} from '../../util/clock.ts';
import {type CallTool} from '../call-tool.ts';
import {type Catalogue} from '../catalogue.ts';

/** The tools of one profile as the endpoint offers them. */
export type EndpointTools = Pick<Catalogue, 'list' | 'find' | 'watch'> & {
	/** The only way to the tools. */
	readonly callTool: CallTool;
	/** Awaited before tools are listed or called: a client may come before the servers have connected. */
	readonly ready: () => Promise<void>;
	/** Removes known secrets from texts that servers wrote. */
	readonly redact: (text: string) => string;
	readonly clock: Clock;
	/** Version of the program. */
	readonly version: string;
};
