/** The longest line on the control socket, in bytes, either way. */
export const maximumLineBytes = 10 * 1024 * 1024;

/** How many callers may be connected at once, and how many requests each may have open. */
export const maximumConnections = 100;
export const maximumOpenRequests = 32;

/** A connection may go so long without its first whole request, and one that is refused without hanging up, in milliseconds. */
export const silenceMilliseconds = 10_000;
export const refusalMilliseconds = 1000;

/** What may wait for a caller that reads slowly, in bytes. A follower of events that falls behind further is let go. */
export const maximumWaitingBytes = 2 * maximumLineBytes;
export const maximumWaitingEventBytes = 1024 * 1024;

/** How long a quick method may take, and how long a stopping gateway waits for cancelled calls, in milliseconds. */
export const answerDeadlineMilliseconds = 30_000;
export const closeDeadlineMilliseconds = 2000;

/** The longest line to a console, in bytes: a snapshot with every list full. */
export const maximumConsoleLineBytes = 32 * 1024 * 1024;

/** What may wait beside a snapshot for a console that reads slowly, in bytes. Beyond it, events are left out, and a new snapshot follows once it has read. */
export const maximumConsoleWaitingBytes = 1024 * 1024;

/** More than any person gives, and more than keys that are held down do. */
export const maximumCommandsPerSecond = 200;

/** How many calls of a console may be open at once: a person may act on many marked rows. */
export const maximumConsoleCalls = 1000;

/** Far deeper than the arguments of any call that passes. */
export const deepestConsoleMessage = 200;
