import {type PeerClient} from './peer.ts';
import {type PeerStage} from './peer-stage.ts';
import {connectAiSdk, connectInspector, connectMcporter, connectMcpRemote} from './program-peers.ts';
import {connectFirstSdk, connectSecondSdk} from './sdk-peers.ts';

export type Ability = 'tools' | 'approval' | 'resources' | 'templates' | 'prompts' | 'completion' | 'elicitation';

/** The abilities of the endpoint, for which every client is tried. */
export const offered: readonly Ability[] = [
	'tools',
	'approval',
	'resources',
	'templates',
	'prompts',
	'completion',
	'elicitation',
];

/** A client that others publish. `lacks`: what it cannot do, with the reason. */
type Peer = {
	readonly name: string;
	readonly connect: (stage: PeerStage) => Promise<PeerClient>;
	readonly lacks: Readonly<Partial<Record<Ability, string>>>;
};

export const peers: readonly Peer[] = [
	{name: 'the first SDK', connect: connectFirstSdk, lacks: {}},
	{name: 'the second SDK, handshake era', connect: stage => connectSecondSdk(stage, 'legacy'), lacks: {}},
	{name: 'the second SDK, stateless era', connect: stage => connectSecondSdk(stage, '2026-07-28'), lacks: {}},
	{name: 'the AI SDK', connect: connectAiSdk, lacks: {completion: 'it has no function for it'}},
	{
		name: 'mcporter',
		connect: connectMcporter,
		lacks: {
			templates: 'it has no function for them',
			prompts: 'it has no function for them',
			completion: 'it has no function for it',
			elicitation: 'it declares none',
		},
	},
	{name: 'the first SDK through mcp-remote', connect: connectMcpRemote, lacks: {}},
	{
		name: 'the command line of the Inspector',
		connect: connectInspector,
		lacks: {completion: 'it has no method for it', elicitation: 'it declares none'},
	},
];
