import {type Origin} from '../state/origin.ts';
import {type AgentOptions, type AgentTools} from './agent-options.ts';
import {type AgentTool} from './agent-tool.ts';
import {builtInTool} from './built-in-tool.ts';
import {clarify} from './clarify.ts';
import {type BuiltInName} from './toolsets.ts';
import {type AskAboutImage, visionAnalyze} from './vision-analyze.ts';
import {webExtract} from './web-extract.ts';
import {webFetch} from './web-fetch.ts';
import {webSearch} from './web-search.ts';

export type BuiltInsOptions = Pick<AgentOptions, 'clock' | 'publish' | 'config' | 'scope' | 'folders'> & {
	readonly tools: Pick<AgentTools, 'askPerson'>;
	readonly origin: Origin;
	readonly askAboutImage: AskAboutImage;
};

/** The built-in tools of these names, for one run. */
export function builtIns(names: readonly BuiltInName[], options: BuiltInsOptions): readonly AgentTool[] {
	return names.map(name => builtInTool(builtIn(name, options), options));
}

function builtIn(name: BuiltInName, {config, scope, folders, tools, origin, askAboutImage}: BuiltInsOptions) {
	switch (name) {
		case 'web_search':
			return webSearch({config: () => config().search, scope, fetch: webFetch});
		case 'web_extract':
			return webExtract({fetch: webFetch});
		case 'vision_analyze':
			return visionAnalyze({fetch: webFetch, ask: askAboutImage, mediaFolder: folders.media});
		case 'clarify':
			return clarify({ask: tools.askPerson, origin, timeoutSeconds: config().approvals.timeoutSeconds});
	}
}
