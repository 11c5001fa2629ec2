"""Does a text name a day to come, or a stretch of time from now? (R13)"""

from memoryhub.working.patterns import Sieved

_MONTHS = r"january|february|march|april|may|june|july|august|september|october|november|december"
#: A day, week, month or year to come, or a stretch of time that begins now.
COMING = Sieved(
    rf"(?i)\b(?:tomorrow|tonight|(?:next|this|this coming|the coming) (?:\w+day|week|weekend|month|year|spring|summer|"
    rf"autumn|fall|winter|quarter|term|{_MONTHS})|in (?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|"
    rf"\d+) (?:days?|weeks?|"
    rf"fortnight|months?|years?)|in a fortnight|(?:in|from|as of|starting|until|till|by|during|through|since|"
    rf"of) (?:early |mid |late |the end of )?"
    rf"(?:{_MONTHS}|(?:next |this )?(?:\w+day)\b|\d{{4}}\b)|on \w+day|(?:on |from |until )?(?:the )?\d{{1,2}}(?:st|nd|"
    rf"rd|th)?(?: of)? (?:{_MONTHS})|"
    rf"(?:{_MONTHS}) \d{{1,2}}|\d{{4}}-\d\d-\d\d|(?:for|over|during) (?:the )?(?:next|coming) (?:\w+ )?(?:days?|"
    rf"weeks?|"
    rf"months?|years?|fortnight|weekend)|for (?:a|an|one|two|three|four|five|six|seven|eight|nine|ten|\d+) (?:days?|"
    rf"weeks?|months?|years?|"
    rf"fortnight)|until \w+|all (?:week|month|summer|winter))\b"
)
