import {z} from 'zod';

/** What the running gateway is asked for when Tab is pressed (docs/cli.md, Conventions). */
export const completedKind = z.enum([
	'approval',
	'question',
	'uncertain',
	'run',
	'call',
	'tool',
	'route',
	'job',
	'rule',
	'event',
]);

/** One name or id, and what it stands for; the newest first. */
export const completedNames = z.array(z.object({name: z.string(), summary: z.string()}));
