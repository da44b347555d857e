// The plain board: what a television shows whose browser knows no modules. It is JavaScript of 2009 (ES5), which
// a test holds, and writes text alone. It waits for the real board, and gives way to it whenever it has started.
(function () {
  "use strict";
  /** @typedef {import("../api.d.ts").components["schemas"]} Schemas */
  /** @typedef {Schemas["MatchView"]} View */
  /** @typedef {Schemas["MatchSituation"]} Situation */
  /** @typedef {Schemas["InningsScore"]} Innings */
  /** A text at the left, one at the right, and a size in hundredths of the width. @typedef {[string, string | null, number]} Line */
  var WAIT = 3000;
  var STALE = 45000;
  var PAPER = "#16241c";
  var INK = "#f4eddb";
  // Sizes of text, in hundredths of the width. What is read from five metres has 1.8 at least.
  var LARGE = 4.4;
  var SMALL = 3.6;
  var root = document.documentElement;
  var address = location.pathname.split("/");
  // `/board` asks which match is on it; `/m/{id}/board` names it.
  var isShort = address[1] !== "m";
  /** @type {string | null | undefined} */
  var id = isShort ? null : address[2];
  /** @type {string | null} */
  var tag = null;
  /** @type {View | null} */
  var view = null;
  // Whether it is known which match is on the board.
  var isTold = !isShort;
  var isUnknown = false;
  // When the match was heard last, or that there is none.
  var heard = new Date().getTime();

  function hasStarted() {
    return root.getAttribute("data-started") !== null;
  }

  /** @param {HTMLElement} row @param {string} text @param {number} size @param {string} align */
  function cell(row, text, size, align) {
    var made = document.createElement("td");
    made.textContent = text;
    made.dir = "auto";
    made.style.fontSize = size + "vw";
    made.style.textAlign = align;
    made.style.padding = "0.3vw 0";
    made.style.overflow = "hidden";
    made.style.whiteSpace = "nowrap";
    row.appendChild(made);
    return made;
  }

  /** @param {Line[]} lines */
  function draw(lines) {
    var page = document.getElementById("page");
    if (hasStarted() || !page) return;
    var table = document.createElement("table");
    table.style.width = "94vw";
    table.style.margin = "3vh 3vw";
    table.style.tableLayout = "fixed";
    table.style.fontFamily = "sans-serif";
    table.style.lineHeight = "1.2";
    table.style.color = INK;
    // It lies over the page, and goes with what stands in it.
    var screen = document.createElement("div");
    screen.style.position = "fixed";
    screen.style.top = screen.style.left = "0";
    screen.style.width = "100vw";
    screen.style.height = "100vh";
    screen.style.overflow = "hidden";
    screen.style.background = PAPER;
    lines.forEach(function (line) {
      var row = document.createElement("tr");
      var left = cell(row, line[0], line[2], "left");
      if (line[1] === null) left.colSpan = 2;
      else cell(row, line[1], line[2], "right");
      table.appendChild(row);
    });
    while (page.firstChild) page.removeChild(page.firstChild);
    screen.appendChild(table);
    page.appendChild(screen);
  }

  /** @param {Innings} innings */
  function scoreOf(innings) {
    return innings.runs + "/" + innings.wickets;
  }

  /** @param {Schemas["BatterNow"]} at @returns {Line} */
  function batter(at) {
    return [at.player, at.runs + " (" + at.balls + ")", SMALL];
  }

  /** The innings of the next ball, which has no score before its first one. @param {View} match @param {Situation} now @returns {Innings} */
  function inningsOf(match, now) {
    var found = match.score.innings.filter(function (innings) {
      return innings.number === now.innings;
    })[0];
    return found || { batting: now.batting, number: now.innings, runs: 0, wickets: 0, overs: "0.0" };
  }

  /** The lines of the innings that is played. @param {View} match @param {Situation} now */
  function inPlay(match, now) {
    var innings = inningsOf(match, now);
    var limit = now.balls_limit ? " of " + now.balls_limit / 6 : "";
    /** @type {Line[]} */
    var lines = [[match[innings.batting].name, null, 6]];
    lines.push([scoreOf(innings), null, 8]);
    lines.push([innings.overs + limit + " overs", now.target ? "Target " + now.target : "", SMALL]);
    if (now.need) lines.push([now.need.text, null, LARGE]);
    if (now.striker) lines.push(batter(now.striker));
    if (now.non_striker) lines.push(batter(now.non_striker));
    var bowler = now.bowler;
    if (bowler) {
      var figures = [bowler.overs, bowler.maidens, bowler.runs, bowler.wickets];
      lines.push([bowler.player, figures.join("-"), SMALL]);
    }
    var cells = now.over.deliveries.map(function (delivery) {
      return delivery.cell;
    });
    lines.push(["This over " + cells.join(" "), null, SMALL]);
    return lines;
  }

  /** The lines of a match that is not played now: its innings, and how it ended. @param {View} match */
  function atRest(match) {
    /** @type {Line[]} */
    var lines = [[match.home.name + " v " + match.away.name, null, LARGE]];
    match.score.innings.forEach(function (one) {
      lines.push([match[one.batting].name, scoreOf(one) + " (" + one.overs + ")", 6]);
    });
    if (match.status === "abandoned") lines.push(["Abandoned: " + match.abandoned_for, null, LARGE]);
    if (match.result) lines.push([match.result.text, null, LARGE]);
    return lines;
  }

  /** @param {View} match */
  function told(match) {
    var now = match.situation;
    return match.status === "in_play" && now ? inPlay(match, now) : atRest(match);
  }

  /** @param {number} number */
  function two(number) {
    return (number < 10 ? "0" : "") + number;
  }

  function show() {
    var since = new Date(heard);
    if (new Date().getTime() - heard > STALE) {
      var time = two(since.getHours()) + ":" + two(since.getMinutes());
      draw([["No connection since " + time, null, LARGE]]);
      document.title = "No connection";
    } else if (isUnknown) {
      draw([["There is no such match.", null, LARGE]]);
    } else if (view) {
      draw(told(view));
      document.title = view.score.text || view.home.name + " v " + view.away.name;
    } else {
      draw([[isTold && !id ? "No match is played now." : "The match is read.", null, LARGE]]);
    }
  }

  function shows() {
    try {
      if (!hasStarted()) show();
    } catch (error) {
      // The service is of a version that tells a match otherwise.
      draw([["The match cannot be read.", null, LARGE]]);
    }
  }

  function hears() {
    heard = new Date().getTime();
  }

  /**
   * Reads an address. What it answers goes to `then`: its status, and with 200 its content and its tag.
   * @template T @param {string} path @param {string | null} known @param {(status: number, found: T | null, tag: string | null) => void} then
   */
  function read(path, known, then) {
    var request = new XMLHttpRequest();
    request.open("GET", path);
    request.setRequestHeader("Accept", "application/json");
    if (known) request.setRequestHeader("If-None-Match", known);
    request.timeout = 2 * WAIT;
    request.onload = function () {
      // The sign-in of a network, or a proxy, answers with a page of its own, and with any status.
      var media = request.getResponseHeader("Content-Type") || "";
      var isOurs = request.status === 304 || media.split("json").length > 1;
      var found = null;
      try {
        if (isOurs && request.status === 200) found = JSON.parse(request.responseText);
      } catch (error) {
        isOurs = false;
      }
      if (isOurs) then(request.status, found, request.getResponseHeader("ETag"));
      shows();
    };
    request.onerror = shows;
    request.ontimeout = shows;
    request.send();
  }

  function readMatch() {
    var asked = id;
    /** @param {number} status @param {View | null} found @param {string | null} itsTag */
    function took(status, found, itsTag) {
      // The board has another match meanwhile, or an answer was overtaken by a later one.
      if (asked !== id || (found && view && found.head.seq < view.head.seq)) return;
      isUnknown = status === 400 || status === 404;
      if (isUnknown || status === 200 || status === 304) hears();
      if (!found) return;
      view = found;
      tag = itsTag;
    }
    read("/v1/matches/" + id, tag, took);
  }

  /** @param {number} _ @param {Schemas["BoardBody"] | null} found */
  function turnTo(_, found) {
    if (!found) return;
    if (found.match !== id) view = tag = null;
    id = found.match;
    isTold = true;
    if (id) readMatch();
    else hears();
  }

  function turn() {
    if (hasStarted()) return;
    if (isShort) read("/v1/board" + (id ? "?showing=" + id : ""), null, turnTo);
    else readMatch();
    setTimeout(turn, WAIT);
  }

  setTimeout(turn, WAIT);
})();
