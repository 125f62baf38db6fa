import {type AgentOptions, type AgentTools} from '../agent-options.ts';
import {builtInTool} from './built-in-tool.ts';
import {clarify} from './clarify.ts';
import {openPageReader, type PageReader} from './page-reader.ts';
import {type BuiltInName} from '../toolsets.ts';
import {type AskAboutImage, visionAnalyze} from './vision-analyze.ts';
import {webExtract} from './web-extract.ts';
import {webSearch} from './web-search.ts';

export type BuiltInsOptions = Pick<AgentOptions, 'config' | 'scope' | 'folders'> &
	Pick<AgentOptions, 'publish'> &
	Omit<Parameters<typeof builtInTool>[1], 'callBuiltIn'> & {
		readonly tools: Pick<AgentTools, 'askPerson' | 'callBuiltIn'>;
		readonly askAboutImage: AskAboutImage;
	};

/** The built-in tools of these names, for one run. */
export function builtIns(
	names: readonly BuiltInName[],
	options: BuiltInsOptions,
): ReadonlyArray<ReturnType<typeof builtInTool>> {
	const {clock, publish, tools} = options;
	const log = (text: string) => publish({type: 'log', level: 'warning', area: 'agent', text});
	const reader = openPageReader({clock, log});
	return names.map(name => builtInTool(builtIn(name, reader, options), {...options, ...tools}));
}

function builtIn(name: BuiltInName, reader: PageReader, options: BuiltInsOptions) {
	const {config, scope, folders, tools, origin, askAboutImage} = options;
	switch (name) {
		case 'web_search':
			return webSearch({config: () => config().search, scope, reader});
		case 'web_extract':
			return webExtract({reader});
		case 'vision_analyze':
			return visionAnalyze({ask: askAboutImage, mediaFolder: folders.media});
		case 'clarify':
			return clarify({ask: tools.askPerson, origin, timeoutSeconds: config().approvals.timeoutSeconds});
	}
}
