import {z} from 'zod';
import {type EventCaller} from '../../state/event-caller.ts';
import {answerTypes} from '../../util/templates/answer-body.ts';

/** The sender of an event as its run and its messages have it. */
export const eventCaller: z.ZodType<EventCaller> = z.object({
	waitsUntil: z.number(),
	body: z.object({contentType: z.enum(answerTypes), pieces: z.array(z.string())}),
	later: z
		.discriminatedUnion('kind', [
			z.object({kind: z.literal('address'), preset: z.string(), url: z.string(), validUntil: z.number()}),
			z.object({kind: z.literal('platform'), preset: z.string(), platform: z.string(), chat: z.string()}),
			z.object({kind: z.literal('refused'), preset: z.string(), reason: z.string()}),
		])
		.optional(),
});
