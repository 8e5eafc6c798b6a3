const zero = 48;

/** How many days a month of the Gregorian calendar has. */
export function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** A day of the Gregorian calendar. */
export interface CalendarDate {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

const eraDays = 146_097; // of four hundred years
const daysToEpoch = 719_468; // from the first of March of the year 0

/** The date that is so many days after the first of January 1970; years begin in March here, so that a leap day is a year's last. */
export function dateOf(days: number): CalendarDate {
  const since = days + daysToEpoch;
  const era = Math.floor(since / eraDays);
  const dayOfEra = since - era * eraDays;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1_460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153);
  const month = fromMarch < 10 ? fromMarch + 3 : fromMarch - 9;
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1;
  return { year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day };
}

/** Whether a text is a time as we write it ourselves, `2026-11-15T18:20:23Z`: nearly every one, told without a pattern. */
export function isWireTime(text: string): boolean {
  if (text.length !== 20 || text[4] !== "-" || text[7] !== "-" || text[10] !== "T") return false;
  if (text[13] !== ":" || text[16] !== ":" || text[19] !== "Z") return false;
  const [year, month, day] = [digitPair(text, 0) * 100 + digitPair(text, 2), digitPair(text, 5), digitPair(text, 8)];
  const isDate = year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month);
  return (
    isDate && isBelow(digitPair(text, 11), 24) && isBelow(digitPair(text, 14), 60) && isBelow(digitPair(text, 17), 60)
  );
}

function isBelow(value: number, limit: number): boolean {
  return value >= 0 && value < limit;
}

/** Two digits as a number; something not a number where there are none. */
function digitPair(text: string, at: number): number {
  const tens = text.charCodeAt(at) - zero;
  const ones = text.charCodeAt(at + 1) - zero;
  return isBelow(tens, 10) && isBelow(ones, 10) ? tens * 10 + ones : Number.NaN;
}
