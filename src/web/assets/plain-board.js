// The plain board: what a television shows whose browser knows no modules. It is JavaScript of 2009 (ES5), which
// a test holds, and writes text alone. It waits for the real board, and gives way to it whenever it has started.
(function () {
  "use strict";
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
  var id = isShort ? null : address[2];
  var tag = null;
  var view = null;
  // Whether it is known which match is on the board.
  var isTold = !isShort;
  var isUnknown = false;
  // When the match was heard last, or that there is none.
  var heard = new Date().getTime();

  function hasStarted() {
    return root.getAttribute("data-started") !== null;
  }

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

  /** Draws lines, each of a text at the left, one at the right, and a size in hundredths of the width. */
  function draw(lines) {
    if (hasStarted()) return;
    var page = document.getElementById("page");
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
    for (var at = 0; at < lines.length; at += 1) {
      var row = document.createElement("tr");
      var left = cell(row, lines[at][0], lines[at][2], "left");
      if (lines[at][1] === null) left.colSpan = 2;
      else cell(row, lines[at][1], lines[at][2], "right");
      table.appendChild(row);
    }
    while (page.firstChild) page.removeChild(page.firstChild);
    screen.appendChild(table);
    page.appendChild(screen);
  }

  function scoreOf(innings) {
    return innings.runs + "/" + innings.wickets;
  }

  function batter(at) {
    return [at.player, at.runs + " (" + at.balls + ")", SMALL];
  }

  /** The innings of the next ball, which has no score before its first one. */
  function inningsOf(now) {
    var all = view.score.innings;
    for (var at = 0; at < all.length; at += 1) if (all[at].number === now.innings) return all[at];
    return { batting: now.batting, runs: 0, wickets: 0, overs: "0.0" };
  }

  /** The lines of the innings that is played. */
  function inPlay(innings, now) {
    var limit = now.balls_limit ? " of " + now.balls_limit / 6 : "";
    var lines = [[view[innings.batting].name, null, 6]];
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
    var cells = [];
    for (var at = 0; at < now.over.deliveries.length; at += 1) cells.push(now.over.deliveries[at].cell);
    lines.push(["This over " + cells.join(" "), null, SMALL]);
    return lines;
  }

  /** The lines of a match that is not played now: its innings, and how it ended. */
  function atRest() {
    var all = view.score.innings;
    var lines = [[view.home.name + " v " + view.away.name, null, LARGE]];
    for (var at = 0; at < all.length; at += 1) {
      var one = all[at];
      lines.push([view[one.batting].name, scoreOf(one) + " (" + one.overs + ")", 6]);
    }
    if (view.status === "abandoned") lines.push(["Abandoned: " + view.abandoned_for, null, LARGE]);
    if (view.result) lines.push([view.result.text, null, LARGE]);
    return lines;
  }

  function told() {
    return view.status === "in_play" && view.situation
      ? inPlay(inningsOf(view.situation), view.situation)
      : atRest();
  }

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
      draw(told());
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

  /** Reads an address. What it answers goes to `then`: its status, and with 200 its content and its tag. */
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
    read("/v1/matches/" + id, tag, function (status, found, itsTag) {
      // The board has another match meanwhile, or an answer was overtaken by a later one.
      if (asked !== id || (found && view && found.head.seq < view.head.seq)) return;
      isUnknown = status === 400 || status === 404;
      if (isUnknown || status === 200 || status === 304) hears();
      if (!found) return;
      view = found;
      tag = itsTag;
    });
  }

  function turn() {
    if (hasStarted()) return;
    if (isShort) {
      read("/v1/board" + (id ? "?showing=" + id : ""), null, function (status, found) {
        if (!found) return;
        if (found.match !== id) view = tag = null;
        id = found.match;
        isTold = true;
        if (id) readMatch();
        else hears();
      });
    } else readMatch();
    setTimeout(turn, WAIT);
  }

  setTimeout(turn, WAIT);
})();
