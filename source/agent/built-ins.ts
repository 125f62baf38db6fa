import {type AgentOptions, type AgentTools} from './agent-options.ts';
import {type AgentTool} from './agent-tool.ts';
import {builtInTool} from './built-in-tool.ts';
import {clarify} from './clarify.ts';
import {type BuiltInName} from './toolsets.ts';
import {type AskAboutImage, visionAnalyze} from './vision-analyze.ts';
import {webExtract} from './web-extract.ts';
import {webSearch} from './web-search.ts';

export type BuiltInsOptions = Pick<AgentOptions, 'config' | 'scope' | 'folders'> &
	Parameters<typeof builtInTool>[1] & {
		readonly tools: Pick<AgentTools, 'askPerson'>;
		readonly askAboutImage: AskAboutImage;
	};

/** The built-in tools of these names, for one run. */
export function builtIns(names: readonly BuiltInName[], options: BuiltInsOptions): readonly AgentTool[] {
	return names.map(name => builtInTool(builtIn(name, options), options));
}

function builtIn(name: BuiltInName, {config, scope, folders, tools, origin, askAboutImage}: BuiltInsOptions) {
	switch (name) {
		case 'web_search':
			return webSearch({config: () => config().search, scope});
		case 'web_extract':
			return webExtract();
		case 'vision_analyze':
			return visionAnalyze({ask: askAboutImage, mediaFolder: folders.media});
		case 'clarify':
			return clarify({ask: tools.askPerson, origin, timeoutSeconds: config().approvals.timeoutSeconds});
	}
}
